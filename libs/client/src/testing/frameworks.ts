import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import express, { type Express } from 'express';
import fastify from 'fastify';
import { fastifyCallbacks } from '../middleware/fastify';
import { expressCallbacks, nestCallbacks, nodeCallbacks } from '../middleware/node';
import type { CallbackHandler, CallbackOptions } from '../middleware/receive';

export interface Running {
  readonly url: string;
  close(): Promise<unknown>;
}

export type Start = (options: CallbackOptions, handler: CallbackHandler) => Promise<Running>;

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/callbacks`;

async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: addressOf(server),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** An Express application whose error handler answers with the error. */
export const onExpress =
  (ready: (app: Express) => void): Start =>
  (options, handler) => {
    const app = express();
    ready(app);
    app.use('/callbacks', expressCallbacks(options, handler));
    app.use(express.json());
    return listen(app as RequestListener);
  };

const onFastify: Start = async (options, handler) => {
  const app = fastify();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) =>
    done(new Error('the parser of the application ran')),
  );
  await app.register(fastifyCallbacks(options, handler), { prefix: '/callbacks' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: addressOf(app.server), close: () => app.close() };
};

const onNest: Start = async (options, handler) => {
  class Receiver implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(nestCallbacks(options, handler)).forRoutes('callbacks');
    }
  }
  Module({})(Receiver);
  const app = await NestFactory.create<NestFastifyApplication>(Receiver, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  return { url: addressOf(app.getHttpServer()), close: () => app.close() };
};

/** Receivers in which the library reads the body, beside parsers of the application. */
export const reading: readonly [string, Start][] = [
  ['node:http', (options, handler) => listen(nodeCallbacks(options, handler))],
  ['Fastify, whose application has a JSON parser', onFastify],
  ['Express, before its JSON parser', onExpress(() => undefined)],
  ['Nest', onNest],
];

/** Receivers in which a parser of the application has kept the bytes. */
export const given: readonly [string, Start][] = [
  ['Express, with express.raw()', onExpress((app) => app.use(express.raw({ type: 'application/json' })))],
  [
    'Express, whose JSON parser keeps the bytes as Nest’s does',
    onExpress((app) =>
      app.use(
        express.json({
          strict: false,
          verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }),
        }),
      ),
    ),
  ],
];

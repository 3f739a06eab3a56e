import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError, reportOfServer, type ReportFailure } from './answer-error';
import { badRequest, errorOfStatus, invalid, methodNotAllowed, notFound } from './api-error';
import { answerClientError } from './client-error';
import type { ErrorStyle } from './error-body';
import { errorBytes } from './error-body';
import type { HttpLimits } from './limits';
import { parseJson } from './lossless-json';
import { requestIdOf } from './request-id';
import { RouteMethods } from './route-methods';
import { jsonContentType } from './send-json';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body as they came. */
    rawBody: Buffer | undefined;
  }
}

export interface AdapterOptions {
  /** The style of errors that no controller answered; without a path the request was never read. Default: always `dsr`. */
  errorStyle?: (path: string | undefined) => ErrorStyle;
  report?: ReportFailure;
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

const serverOptions = (limits: HttpLimits): ServerOptions => ({
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  connectionsCheckingInterval: limits.timeoutCheckMs,
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  maxHeaderSize: limits.headerBytes,
  // Node would answer a missing Host without a body; the adapter does it with one.
  requireHostHeader: false,
});

/**
 * Nest's Fastify adapter with our limits, and with our error body wherever the framework answers by itself.
 * It replaces Nest's 404 and error handlers, which would answer in Nest's own shape.
 */
export class EdgeAdapter extends FastifyAdapter {
  private readonly methods = new RouteMethods();
  private readonly errorStyle: (path: string | undefined) => ErrorStyle;

  constructor(
    private readonly limits: HttpLimits,
    options: AdapterOptions = {},
  ) {
    const errorStyle = options.errorStyle ?? (() => 'dsr' as const);
    super({
      bodyLimit: limits.bodyBytes,
      // Fastify would write its own 0 over Node's request timeout, so the value is given in both places.
      requestTimeout: limits.requestTimeoutMs,
      connectionTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      http: serverOptions(limits),
      // A token in a path may be long; the size of all headers is limited anyway.
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
      requestIdHeader: false,
      genReqId: requestIdOf,
      logger: false,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        reply.header('x-request-id', request.id);
        answerError(error, request, reply, errorStyle(pathOf(request)));
      },
      clientErrorHandler: (error, socket) => {
        answerClientError(error, socket, errorStyle(undefined));
      },
    });
    this.errorStyle = errorStyle;
    if (options.report) reportOfServer.set(this.instance, options.report);
    this.instance.server.on('checkExpectation', (_request, response: ServerResponse) => {
      this.refuseExpectation(response);
    });
    this.instance.decorateRequest('rawBody', undefined);
    this.instance.addHook('onRoute', ({ method, url }) => {
      this.methods.add(method, url);
    });
    this.instance.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      const unnamed = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
      done(unnamed ? badRequest([invalid('The header Host is missing.')]) : undefined);
    });
  }

  /** A further listener of the same routes, with the same limits. The instance must be ready before it listens. */
  createListener(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const server = createServer(serverOptions(this.limits), handle);
    server.on('clientError', (error, socket) => {
      answerClientError(error, socket as Parameters<typeof answerClientError>[1], this.errorStyle(undefined));
    });
    server.on('checkExpectation', (_request, response) => {
      this.refuseExpectation(response);
    });
    return server;
  }

  override registerParserMiddleware(): void {
    this.instance.removeAllContentTypeParsers();
    this.instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      request.rawBody = body;
      // Many clients name a content type on every call; whether a body is needed is the route's question.
      if (body.length === 0) {
        done(null, undefined);
        return;
      }
      try {
        done(null, parseJson(body, this.limits.jsonDepth));
      } catch (error) {
        done(error as Error);
      }
    });
  }

  override setErrorHandler(): typeof this.instance {
    return this.instance.setErrorHandler((error, request, reply) => {
      answerError(error, request, reply, this.errorStyle(pathOf(request)));
    });
  }

  override setNotFoundHandler(): typeof this.instance {
    return this.instance.setNotFoundHandler((request, reply) => {
      const methods = this.methods.of(pathOf(request));
      const wrongMethod = methods.length > 0 && !methods.includes(request.method);
      answerError(wrongMethod ? methodNotAllowed(methods) : notFound(), request, reply, this.errorStyle(pathOf(request)));
    });
  }

  private refuseExpectation(response: ServerResponse): void {
    const body = errorBytes(errorOfStatus(417), this.errorStyle(undefined));
    response.writeHead(417, { 'content-type': jsonContentType, 'content-length': body.length, connection: 'close' }).end(body);
  }
}

/** Makes the adapter that every HTTP app hands to Nest. */
export const createAdapter = (limits: HttpLimits, options?: AdapterOptions): EdgeAdapter => new EdgeAdapter(limits, options);

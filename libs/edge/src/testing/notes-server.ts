import 'reflect-metadata';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Body, Controller, Delete, Get, Ip, Module, Param, Post, Res, UseFilters, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { type AdapterOptions, createAdapter } from '../adapter';
import { DsrErrorFilter, IngestErrorFilter } from '../error-filters';
import { defaultLimits, type HttpLimits } from '../limits';
import { sendAnswer } from '../send-json';
import { BodyOf } from '../validate-body';

class Note {
  @IsString()
  text!: string;
}

function notesController(path: string, filter: Type): Type {
  @Controller([path, `internal/${path}`])
  @UseFilters(filter)
  class NotesController {
    @Get()
    list(@Res() reply: FastifyReply, @Ip() ip: string) {
      sendAnswer(reply, 200, { ip });
    }

    @Get(':id')
    one(@Res() reply: FastifyReply, @Param('id') id: string) {
      sendAnswer(reply, 200, { length: id.length });
    }

    @Post()
    take(@Res() reply: FastifyReply, @Body(new BodyOf(Note)) note: Note) {
      sendAnswer(reply, 201, { text: note.text });
    }

    @Delete(':id')
    fail(): never {
      throw new Error('planted');
    }
  }
  return NotesController;
}

@Module({ controllers: [notesController('v2/notes', DsrErrorFilter), notesController('v1/marks', IngestErrorFilter)] })
class Root {}

export const smallLimits = {
  ...defaultLimits,
  bodyBytes: 2_000,
  headerBytes: 6_000,
  uriBytes: 3_000,
  headers: 50,
  jsonKeys: 20,
};
export const impatient = { headersTimeoutMs: 400, requestTimeoutMs: 500, timeoutCheckMs: 20 };

const isAdmin = (pattern: string): boolean => pattern.startsWith('/internal/');

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Routes of both error styles behind two listeners, with small limits. */
export async function startNotes(options: AdapterOptions = {}, times: Partial<HttpLimits> = {}) {
  const adapter = createAdapter(
    { ...smallLimits, ...times },
    { errorStyle: (path) => (path !== undefined && /^(\/internal)?\/v1\//.test(path) ? 'ingest' : 'dsr'), ...options },
  );
  const app = await NestFactory.create<NestFastifyApplication>(Root, adapter, { logger: false, abortOnError: false });
  await app.init();
  await adapter.getInstance().ready();
  const servers = [adapter.createListener((pattern) => !isAdmin(pattern)), adapter.createListener(isAdmin)] as const;
  const [publicPort, adminPort] = [await portOf(servers[0]), await portOf(servers[1])];
  return {
    publicPort,
    adminPort,
    places: [
      { port: publicPort, path: '/v2/notes', style: 'dsr' },
      { port: publicPort, path: '/v1/marks', style: 'ingest' },
      { port: adminPort, path: '/internal/v2/notes', style: 'dsr' },
      { port: adminPort, path: '/internal/v1/marks', style: 'ingest' },
    ] as const,
    stop: async () => {
      for (const server of servers) server.close().closeAllConnections();
      await app.close();
    },
  };
}

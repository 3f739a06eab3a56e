import 'reflect-metadata';
import { Body, Controller, Delete, Get, Module, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAdapter } from './adapter';
import { alreadyExists, unauthorized, unavailable } from './api-error';
import { beforeBody } from './before-body';
import { DsrErrorFilter, IngestErrorFilter } from './error-filters';
import { defaultLimits } from './limits';
import { sendJson } from './send-json';
import { BodyOf } from './validate-body';

class Note {
  @IsString()
  text!: string;
}

const bytes = Buffer.from('{"b":1,  "a":2}');

@Controller('v2/notes')
@UseFilters(DsrErrorFilter)
class NotesController {
  @Post()
  take(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body(new BodyOf(Note)) note: Note) {
    sendJson(reply, 201, Buffer.from(JSON.stringify({ text: note.text, raw: request.rawBody?.toString('base64') })), {
      'x-own': 'yes',
    });
  }

  @Get('exact')
  exact(@Res() reply: FastifyReply) {
    sendJson(reply, 200, bytes);
  }

  @Delete(':id')
  fail(@Param('id') id: string): never {
    if (id === 'exists') throw alreadyExists();
    if (id === 'busy') throw unavailable(0.2);
    throw new Error(`planted ${id}`);
  }
}

@Controller('v2/events')
@UseFilters(IngestErrorFilter)
class EventsController {
  @Post()
  take(@Body(new BodyOf(Note)) note: Note) {
    return note;
  }
}

@Module({ controllers: [NotesController, EventsController] })
class Root {}

let app: NestFastifyApplication;
const reported: unknown[] = [];

beforeAll(async () => {
  const adapter = createAdapter(
    { ...defaultLimits, bodyBytes: 1000 },
    {
      errorStyle: (path) => (path?.startsWith('/v2/events') ? 'ingest' : 'dsr'),
      report: (_error, facts) => reported.push(facts),
    },
  );
  beforeBody(
    adapter,
    (path) => path.startsWith('/v2/notes'),
    ({ headers }) => {
      if (headers.authorization === 'Basic wrong') throw unauthorized();
    },
  );
  app = await NestFactory.create<NestFastifyApplication>(Root, adapter, { logger: false, abortOnError: false });
  await app.init();
});
afterAll(() => app.close());

const call = (method: string, url: string, payload?: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({
    method: method as 'GET',
    url,
    payload,
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });

it('answers with exactly the given bytes, as JSON in UTF-8', async () => {
  const answer = await call('GET', '/v2/notes/exact');
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-length']).toBe(String(bytes.length));
});

it('keeps the received bytes of a body', async () => {
  const body = '{ "text" : "é" , "n":1234567890123456789}';
  const answer = await call('POST', '/v2/notes', body);
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({ text: 'é', raw: Buffer.from(body).toString('base64') });
  expect(answer.headers['x-own']).toBe('yes');
});

it('ignores a trailing slash', async () => {
  expect((await call('POST', '/v2/notes/', '{"text":"a"}')).statusCode).toBe(201);
});

it.each([
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8; v=1',
  'application/json;',
])('accepts the content type %s', async (type) => {
  expect((await call('POST', '/v2/notes', '{"text":"a"}', { 'content-type': type })).statusCode).toBe(201);
});

it.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'json', ''])(
  'answers the content type "%s" with 415 in the error body',
  async (type) => {
    const answer = await call('POST', '/v2/notes', '{"text":"a"}', { 'content-type': type });
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({
      code: 415,
      errors: [{ domain: 'Http', reason: 'UnsupportedMediaTypeException' }],
    });
  },
);

it('answers a body above the limit with 413 in the error body', async () => {
  const answer = await call('POST', '/v2/notes', JSON.stringify({ text: 'x'.repeat(1000) }));
  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toMatchObject({ code: 413 });
});

it.each([
  ['malformed', '{'],
  ['empty', ''],
  ['not an object', '[]'],
  ['with a fault', '{}'],
])('answers a body that is %s with 400 in the error body', async (_how, body) => {
  const answer = await call('POST', '/v2/notes', body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 400,
    errors: [{ domain: 'Validation', reason: 'IllegalArgumentException' }],
  });
});

it('answers a POST without any body with 400', async () => {
  expect((await call('POST', '/v2/notes')).statusCode).toBe(400);
});

it('accepts a call without a body that names a content type', async () => {
  const answer = await app.inject({
    method: 'DELETE',
    url: '/v2/notes/exists',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.json()).toMatchObject({ message: 'The subject request already exists.' });
});

it('answers an unknown address with 404 in the style of its path', async () => {
  expect((await call('GET', '/nowhere')).json()).toMatchObject({
    code: 404,
    errors: [{ reason: 'NotFoundException' }],
  });
  expect((await call('GET', '/v2/events/nowhere')).json()).toEqual({
    errors: [{ code: 'NOT_FOUND', message: 'Nothing is known under this address.' }],
  });
});

it('answers a wrong method with 405 and Allow, also with a trailing slash and a parameter', async () => {
  const answer = await call('PUT', '/v2/notes/', '{}');
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  expect(answer.json()).toMatchObject({ code: 405 });
  expect((await call('PUT', '/v2/notes/some-id')).headers.allow).toBe('DELETE');
});

it('answers an address that cannot be decoded with 400 in the error body', async () => {
  const answer = await call('GET', '/v2/notes/%zz');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 400 });
  expect(answer.headers['x-request-id']).toBeDefined();
});

it('answers an expected error with its status, faults and headers, and reports nothing', async () => {
  expect((await call('DELETE', '/v2/notes/exists')).json()).toEqual({
    code: 400,
    message: 'The subject request already exists.',
    errors: [
      { domain: 'Validation', reason: 'InvalidOperationException', message: 'The subject request already exists.' },
    ],
  });
  const busy = await call('DELETE', '/v2/notes/busy');
  expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '1']);
  expect(reported).toEqual([]);
});

it('answers an unexpected error with a fixed message and reports it with the pattern of its route', async () => {
  const answer = await call('DELETE', '/v2/notes/secret-id', undefined, { 'x-request-id': 'r-1' });
  expect(answer.statusCode).toBe(500);
  expect(answer.payload).not.toMatch(/planted|secret-id/);
  expect(reported).toEqual([{ requestId: 'r-1', method: 'DELETE', route: '/v2/notes/:id', status: 500 }]);
});

it('answers faults of an ingestion path in its error body, found by the framework or the controller', async () => {
  expect((await call('POST', '/v2/events', '{')).json()).toEqual({
    errors: [{ code: 'BAD_REQUEST', message: 'The body is not valid JSON.' }],
  });
  expect((await call('POST', '/v2/events', '{}')).json()).toEqual({
    errors: [{ code: 'BAD_REQUEST', message: 'text must be a string' }],
  });
});

it('checks credentials before the body: 401 whatever the body is', async () => {
  const answer = await call('POST', '/v2/notes', 'x'.repeat(2000), {
    'content-type': 'text/plain',
    authorization: 'Basic wrong',
  });
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
  expect(answer.json()).toMatchObject({ code: 401 });
});

it('returns a short printable request id, else a new one', async () => {
  expect((await call('GET', '/nowhere', undefined, { 'x-request-id': 'abc.1:2_3-4' })).headers['x-request-id']).toBe(
    'abc.1:2_3-4',
  );
  for (const bad of ['a b', 'x'.repeat(129), '{"a":1}']) {
    expect((await call('GET', '/nowhere', undefined, { 'x-request-id': bad })).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  }
});

import 'reflect-metadata';
import { once } from 'node:events';
import { createConnection, type AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAdapter } from './adapter';
import { defaultLimits } from './limits';

@Controller()
class HelloController {
  @Get('hello')
  hello() {
    return { hello: true };
  }
}

@Module({ controllers: [HelloController] })
class Root {}

const limits = { ...defaultLimits, headerBytes: 2048, headersTimeoutMs: 200, requestTimeoutMs: 300, timeoutCheckMs: 20 };
const adapter = createAdapter(limits);
const second = adapter.createListener();
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(Root, adapter, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  second.listen(0, '127.0.0.1');
  await once(second, 'listening');
});
afterAll(async () => {
  await app.close();
  second.close();
  second.closeAllConnections();
});

/** Sends text as it is, and resolves with all that comes back until the server closes the connection. */
async function exchange(listener: string, text: string): Promise<string> {
  const { port } = (listener === 'main' ? adapter.getInstance().server : second).address() as AddressInfo;
  const socket = createConnection(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
}

describe.each(['main', 'second'])('the %s listener', (listener) => {
  it.each([
    ['headers that are too large', 431, `GET /hello HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(3000)}\r\n\r\n`],
    ['headers that never end', 408, 'GET /hello HTTP/1.1\r\nHost: a\r\n'],
    ['a body that never ends', 408, 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{'],
    ['what is no HTTP', 400, 'hello there\r\n\r\n'],
    ['a missing Host', 400, 'GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation that it cannot meet', 417, 'GET /hello HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n'],
  ])('answers %s with %d in the error body', async (_what, status, text) => {
    const answer = await exchange(listener, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/json; charset=utf-8/i);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body)).toMatchObject({ code: status, errors: [{ message: expect.any(String) as string }] });
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('serves the routes', async () => {
    expect(await exchange(listener, 'GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [^]*"hello":true/);
  });
});

import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { defaultLimits } from '@opendsr-service/edge';
import { createLogger } from '../logger/logger';
import { type RunningProcess, serve } from './serve';

const working: PromiseWithResolvers<object>[] = [];

@Controller()
class SlowController {
  @Get(['v2/slow', 'v1/slow', 'internal/slow'])
  slow() {
    const one = Promise.withResolvers<object>();
    working.push(one);
    return one.promise;
  }
}

@Module({ controllers: [SlowController] })
class Root {}

let running: RunningProcess;
beforeEach(async () => {
  running = await serve({
    module: Root,
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    furtherListeners: [{ port: 0, owns: (pattern) => pattern.startsWith('/v1/') }],
    limits: { ...defaultLimits, calls: 2 },
    log: createLogger('test', 'error', { write: () => undefined }),
  });
});
afterEach(() => running.stop());

const call = (port: number | undefined, path: string) => fetch(`http://127.0.0.1:${String(port)}${path}`);
const callsOf = async (): Promise<string[]> =>
  (await (await call(running.adminPort, '/metrics')).text())
    .split('\n')
    .filter((line) => line.startsWith('opendsr_http_calls'));

it('refuses calls beyond the limit of all public listeners, never those of the admin listener, and counts them', async () => {
  const held = [call(running.port, '/v2/slow'), call(running.furtherPorts[0], '/v1/slow')];
  const internal = Array.from({ length: 3 }, () => call(running.adminPort, '/internal/slow'));
  while (working.length < held.length + internal.length) await new Promise((next) => setImmediate(next));
  const refused = await Promise.all([
    call(running.port, '/v2/slow'),
    call(running.furtherPorts[0], '/v1/slow'),
    call(running.port, '/v2/unknown'),
  ]);
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    Array.from({ length: 3 }, () => [503, '1']),
  );
  expect((await call(running.adminPort, '/livez')).status).toBe(200);
  expect(await callsOf()).toEqual(['opendsr_http_calls 2', 'opendsr_http_calls_refused_total 3']);
  for (const one of working.splice(0)) one.resolve({});
  expect((await Promise.all([...held, ...internal])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await callsOf()).toEqual(['opendsr_http_calls 0', 'opendsr_http_calls_refused_total 3']);
});

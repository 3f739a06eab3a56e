import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { TOPICS } from '@opendsr-service/contracts';
import { httpSettings, processSettings, readSettings, serveMounted, type Running } from '@opendsr-service/runtime';
import { BrokenExport, type ExportItem } from './export/export-source';
import { IngestionClient } from './export/ingestion.client';
import { mountResults } from './results.module';
import { readZip } from './testing/read-zip';
import { quietLog, VALIDITY_MS, World } from './testing/world';

const TOKEN = 'service-token-of-the-tests-0123456789';
const ORDER = { ws: 'ws', srid: 's', kid: 'k', identities: 'i' };

describe('the results service', () => {
  let world: World;
  let running: Running;
  beforeAll(async () => {
    world = await World.open();
    const { storage, events, vault, linkKeys, clock } = world.parts;
    const platform = { storage, events, vault, linkKeys, clock, log: quietLog, serviceToken: TOKEN };
    const mounted = await mountResults(platform, { RESULTS_VALIDITY_MS: VALIDITY_MS, WORKER_POLL_MS: 50, SWEEP_POLL_MS: 50 }, world.source);
    const values = readSettings({ ...httpSettings, ...processSettings }, { PORT: '0', ADMIN_PORT: '0' });
    running = await serveMounted(values, { log: quietLog, fatal: () => undefined }, { services: [mounted], first: [], closing: [] });
  });
  afterAll(async () => {
    await running.stop();
    await world.close();
  });
  const get = (token: string, shown = TOKEN) => fetch(`http://127.0.0.1:${running.adminPort}/internal/results/${token}`, { headers: { authorization: `Bearer ${shown}` } });
  const tokenOf = (srid: string) => world.parts.linkKeys.token('ws', srid, world.parts.clock.now());
  const statusBecomes = async (token: string, status: number): Promise<Response> => {
    for (;;) {
      const answer = await get(token);
      if (answer.status === status) return answer;
      await answer.body?.cancel();
    }
  };

  it('builds from the log, serves the zip with its length, and answers 410 after its validity', async () => {
    const srid = 'ffffffff-0000-4000-8000-000000000001';
    world.source.exports.set(srid, [{ profile: '{"id":1}' }, { batch: '{"n":1}' }, { end: { profiles: 1, batches: 1, attributes: 0 } }]);
    const { key, value, headers } = world.started(srid);
    await world.parts.events.publisher.publish(TOPICS.requestEvents.name, [{ key, value, headers }]);
    const token = await tokenOf(srid);
    const answer = await statusBecomes(token, 200);
    expect(Object.fromEntries(['content-type', 'content-disposition', 'cache-control'].map((name) => [name, answer.headers.get(name)]))).toEqual({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="results.zip"',
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')));
    expect((await readZip(bytes)).get('events-001.jsonl')).toBe('{"n":1}\n');
    await world.complete(srid);
    world.parts.clock.advance(VALIDITY_MS);
    expect((await statusBecomes(token, 410)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('answers 404 for what it does not know, and 401 to who does not show the token of the services', async () => {
    expect((await get('unknown')).status).toBe(404);
    expect((await get('unknown', 'guess')).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${running.adminPort}/internal/results/x`)).status).toBe(401);
  });
});

describe('the client of ingestion', () => {
  let server: Server;
  let answer: { status: number; parts: readonly string[]; cut?: boolean };
  let asked: { url?: string; authorization?: string; body: string };
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked = { url: request.url, authorization: request.headers.authorization, body };
        response.writeHead(answer.status);
        for (const part of answer.parts) response.write(part);
        if (answer.cut) setImmediate(() => response.destroy());
        else response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  const read = async () => {
    const items: ExportItem[] = [];
    const client = new IngestionClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, TOKEN);
    for await (const item of client.read(ORDER)) items.push(item);
    return items;
  };

  it('shows the token, sends the seals as they are, and reads the lines', async () => {
    answer = { status: 200, parts: ['{"profile":{"id":1}}\n{"ba', 'tch":{"n":1}}\n', '{"end":{"profiles":1,"batches":1,"attributes":0}}\n'] };
    expect(await read()).toEqual([{ profile: '{"id":1}' }, { batch: '{"n":1}' }, { end: { profiles: 1, batches: 1, attributes: 0 } }]);
    expect(asked).toEqual({ url: '/internal/exports', authorization: `Bearer ${TOKEN}`, body: JSON.stringify(ORDER) });
  });

  it('fails where ingestion does not answer with an export, or breaks off', async () => {
    answer = { status: 503, parts: ['{}'] };
    await expect(read()).rejects.toThrow(BrokenExport);
    answer = { status: 200, parts: ['{"profile":{"id":1}}\n{"batch":'], cut: true };
    await expect(read()).rejects.toThrow();
  });
});

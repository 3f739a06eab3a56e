import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Customers } from './customers';
import { Shares } from './shares';

const started = (srid: string, type = 'erasure', participants = ['results', 'crm']) => ({
  type: 'org.opendsr-service.RequestStarted.v1',
  ws: 'acme',
  value: JSON.stringify({ ws: 'acme', srid, participants, work: { type } }),
});

describe('the example participant', () => {
  let folder: string;
  let gateway: Server;
  let shares: Shares;
  /** What the gateway answers next; 200 at the end. */
  let answers: number[];
  let asked: string[];
  let reported: { srid: string; status: string; statusMessage?: string }[];

  beforeEach(async () => {
    [answers, asked, reported] = [[], [], []];
    folder = mkdtempSync(join(tmpdir(), 'participant-'));
    gateway = createServer((request, response) => {
      asked.push(`${request.headers.authorization ?? ''} ${request.url ?? ''}`);
      response
        .writeHead(answers.shift() ?? 200)
        .end(JSON.stringify({ identities: [{ identity_type: 'email', identity_value: 'ann@example.com' }] }));
    }).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const me = {
      earlyWaitsMs: [1],
      ws: 'acme',
      name: 'crm',
      secret: 'dsrp_secret',
      gateway: `http://127.0.0.1:${String((gateway.address() as AddressInfo).port)}`,
    };
    const file = join(folder, 'customers.json');
    writeFileSync(file, JSON.stringify({ customers: [{ email: 'ann@example.com', hold: true }] }));
    const publish = ({ value }: { value: Buffer }) =>
      Promise.resolve(void reported.push(JSON.parse(value.toString()) as (typeof reported)[number]));
    shares = new Shares(me, new Customers(file), publish, () => undefined);
  });
  afterEach(async () => {
    gateway.close();
    gateway.closeAllConnections();
    await once(gateway, 'close');
    rmSync(folder, { recursive: true });
  });
  const statuses = () => reported.map(({ srid, status }) => `${srid} ${status}`);

  it('asks as itself, reports, and ignores the repeat of what it has settled', async () => {
    await shares.handle(started('one', 'access'));
    await shares.handle(started('one', 'access'));
    await shares.retryOpen();
    expect(asked).toEqual([
      `Basic ${Buffer.from('crm:dsrp_secret').toString('base64')} /internal/requests/acme/one/identities`,
    ]);
    expect(statuses()).toEqual(['one sent']);
  });

  it('leaves alone what does not name it, what is of another workspace, and events that start nothing', async () => {
    await shares.handle(started('one', 'erasure', ['ingestion']));
    await shares.handle({ ...started('one'), ws: 'other' });
    await shares.handle({ ...started('one'), type: 'org.opendsr-service.RequestFulfilled.v1' });
    expect([asked, reported]).toEqual([[], []]);
  });

  it('reports a refusal of its store as failed, without personal data, and retries', async () => {
    await shares.handle(started('one'));
    await shares.retryOpen();
    expect(statuses()).toEqual(['one failed', 'one failed']);
    expect(reported[0]?.statusMessage).toEqual(expect.not.stringContaining('ann'));
  });

  it('retries what the gateway did not know, and drops what is destroyed', async () => {
    answers = [503, 200, 503, 503, 410];
    await shares.handle(started('soon', 'access'));
    expect(statuses()).toEqual(['soon sent']);
    await shares.handle(started('early', 'access'));
    await shares.handle(started('late', 'access'));
    expect(reported).toHaveLength(1);
    await shares.retryOpen();
    expect(statuses()).toEqual(['soon sent', 'early sent']);
    await shares.handle(started('late', 'access'));
    expect(asked).toHaveLength(6);
  });

  it.each([404, 410])(
    'closes a request of which the gateway says %i, without a report, and never asks again',
    async (gone) => {
      answers = [gone];
      await shares.handle(started('one', 'access'));
      await shares.retryOpen();
      await shares.handle(started('one', 'access'));
      expect([asked.length, reported]).toEqual([1, []]);
    },
  );

  it('stays at a request while the gateway is away or refuses it, so that none is lost', async () => {
    answers = [500, 401];
    await expect(shares.handle(started('one', 'access'))).rejects.toThrow('500');
    await expect(shares.handle(started('one', 'access'))).rejects.toThrow('401');
    await shares.handle(started('one', 'access'));
    expect(statuses()).toEqual(['one sent']);
  });
});

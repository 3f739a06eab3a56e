import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { itInFull } from '@opendsr-service/storage/testing';
import { privateKeyText } from '@opendsr-service/transparency';
import { cosigner } from '@opendsr-service/transparency/testing';
import { ensureLogKey, GenerationFiles, loadMasterKey, openVault } from '@opendsr-service/vault';
import { ensureSandboxCertificates } from '@opendsr-service/signing';
import { EXIT } from '../command';
import { dbApply } from '../db/db.command';
import { World } from '../testing/world';
import { doctorCommand } from './doctor.command';

const commands = [dbApply, doctorCommand];
/** An hour and half a minute, so that its first digits are the same some seconds sooner or later. */
const BEHIND_MS = 3_630_000;

describe('dsr doctor on embedded stores', () => {
  let world: World;
  const now = new Date();
  beforeAll(async () => {
    world = await World.open();
    chmodSync(world.dataDir, 0o700);
    await ensureSandboxCertificates(join(world.dataDir, 'certificates'), {
      domainV2: 'opendsr.localhost',
      domainV1: 'opengdpr.localhost',
      now,
    });
    await world.say(commands, 'db apply');
  });
  afterAll(() => world.close());
  const doctor = (line = '', env: Readonly<Record<string, string>> = {}) =>
    world.say(commands, `doctor${line}`, { DATA_DIR: world.dataDir, ...env });

  it('finds nothing wrong beside a service that is well', async () => {
    const { code, out, err } = await doctor();
    expect(err).toEqual([]);
    expect(out.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(out).toEqual(
      expect.arrayContaining([
        'ok    configuration: every setting can be read',
        'ok    topics: all are correct',
        'ok    indexes: all are correct',
        'ok    parked records: there are none',
        'ok    master key: it opens what is stored',
        'ok    data folder: only its owner can read it',
        'ok    egress: callbacks may go to the public internet on port 443, and to this machine',
      ]),
    );
    expect(
      out.some((line) => line.startsWith('ok    certificate of version 2.0: it is for opendsr.localhost, is trusted')),
    ).toBe(true);
    expect(code).toBe(EXIT.ok);
  });

  it('answers a machine with one document', async () => {
    const { code, out } = await doctor(' --json');
    expect([code, out.length]).toEqual([EXIT.ok, 1]);
    const { findings } = JSON.parse(out[0] ?? '') as { findings: { check: string; state: string }[] };
    expect(findings.find(({ check }) => check === 'indexes')).toEqual({
      check: 'indexes',
      state: 'ok',
      found: 'all are correct',
    });
  });

  it('names what is wrong, with what to do: an index, a parked record, a folder and a key that others may read', async () => {
    const gateway = await world.database('gateway');
    await gateway.collection('requests').dropIndex('startAt_1');
    await gateway.collection<{ _id: string }>('parked').insertOne({ _id: 'x' });
    chmodSync(world.dataDir, 0o755);
    chmodSync(join(world.dataDir, 'keys', 'master.key'), 0o440);
    expect((await doctor()).out.join('\n')).not.toContain('warn  master key');
    chmodSync(join(world.dataDir, 'keys', 'master.key'), 0o644);
    const { code, out } = await doctor();
    expect(code).toBe(EXIT.failed);
    expect(out).toEqual(
      expect.arrayContaining([
        'FAIL  indexes: gateway: is missing: requests.startAt_1 – create them: dsr db apply',
        'warn  parked records: 1 in gateway – find the reason, then redrive them: dsr parked list',
        'warn  data folder: users other than its owner can read it – restrict it: chmod 700',
      ]),
    );
    expect(out.some((line) => line.startsWith('warn  master key: users other than its owner and its group can'))).toBe(
      true,
    );
    await gateway.collection<{ _id: string }>('parked').deleteOne({ _id: 'x' });
    chmodSync(world.dataDir, 0o700);
    chmodSync(join(world.dataDir, 'keys', 'master.key'), 0o600);
    await world.say(commands, 'db apply');
  });

  it('warns of a key that a sandbox left to production, until it is revoked or the workspace is meant', async () => {
    const lines = async (env = {}) => (await doctor('', env)).out.filter((line) => line.includes('  sandbox: '));
    const production = { TIMING_PROFILE: 'production' };
    expect(await lines()).toEqual([]);
    const { workspaces } = world.services;
    const [{ key = '' } = {}] = await workspaces.credentials.keys('sandbox');
    expect(await lines(production)).toEqual([
      expect.stringMatching(`^warn  sandbox: its key ${key} is in force – revoke it`),
    ]);
    await workspaces.setClass('sandbox', 'standard');
    const none = ['ok    sandbox: it left no key in force'];
    expect(await lines(production)).toEqual(none);
    await workspaces.setClass('sandbox', 'sandbox');
    await workspaces.credentials.revokeKey(key);
    expect(await lines(production)).toEqual(none);
  });

  itInFull('names the log key, and warns of one that others may read', async () => {
    const file = join(world.dataDir, 'keys', 'transparency.key');
    const lines = async () => (await doctor()).out.filter((line) => line.includes('  log key: '));
    expect(await lines()).toEqual(['ok    log key: there is none yet: the service that starts makes it']);
    await ensureLogKey(file, 'dsr.example/transparency');
    const signs = 'ok    log key: it signs as dsr.example/transparency';
    expect(await lines()).toEqual([signs]);
    chmodSync(file, 0o644);
    expect(await lines()).toEqual([
      signs,
      expect.stringContaining('warn  log key: users other than its owner and its group can read the file'),
    ]);
    chmodSync(file, 0o600);
  });

  itInFull('says of each witness how long ago it cosigned, and warns of one that is silent', async () => {
    const keys = ['one.example', 'two.example', 'three.example'].map(
      (name, n) => cosigner(privateKeyText(name, Buffer.alloc(32, n)), () => 0n).verifierKey,
    );
    const [one = '', two = ''] = keys.map((key) => key.split('+').slice(0, 2).join('+'));
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const witnesses = (await world.database('gateway')).collection<{ _id: string }>('witnesses');
    await witnesses.insertMany([
      { _id: one, cosignature: 'line', since: hoursAgo(0.5) },
      { _id: two, cosignature: 'line', since: hoursAgo(30), reason: 'away' },
    ] as never[]);
    const { out } = await doctor('', {
      TRANSPARENCY_WITNESSES: keys.map((key) => `${key} https://witness.example`).join(','),
    });
    const todo = 'see OpenDSRWitnessSilent in docker/RUNBOOK.md';
    expect(out.filter((line) => line.includes('witness'))).toEqual([
      'ok    witness one.example: it cosigned 0.5 hours ago',
      `warn  witness two.example: it cosigned 30.0 hours ago, and did not when it was asked last (away) – ${todo}`,
      'warn  witness three.example: it was never asked to cosign – start a gateway with this configuration',
    ]);
    await witnesses.deleteMany({});
  });

  it('fails on a master key that does not open what is stored, and shows neither', async () => {
    const other = join(world.dataDir, 'other.key');
    writeFileSync(other, 'ab'.repeat(32), { mode: 0o600 });
    const { code, out } = await doctor('', { MASTER_KEY_FILE: other });
    expect(code).toBe(EXIT.failed);
    expect(out.some((line) => line.startsWith('FAIL  master key: '))).toBe(true);
    expect(out.join('\n')).not.toContain('abab');
    rmSync(other);
  });

  it('names the generation of workspace keys, and fails where its secret does not exist', async () => {
    const folder = join(world.dataDir, 'keys', 'generations');
    const masterKey = await loadMasterKey(join(world.dataDir, 'keys', 'master.key'));
    const keys = { masterKey, generations: new GenerationFiles(folder, masterKey) };
    await openVault(await world.database('keys'), keys, () => Date.parse('2026-11-24T09:00:00Z'), {
      available: true,
      publish: () => Promise.resolve(),
    });
    const line = async () => (await doctor()).out.find((one) => one.includes('key generations'));
    expect(await line()).toMatch(
      /^ok {4}key generations: generation 2, since \S+; an earlier one is not destroyed yet$/,
    );
    const secret = join(folder, 'generation-2.key');
    renameSync(secret, `${secret}.away`);
    expect(await line()).toMatch(/^FAIL {2}key generations: generation 2, since \S+, whose secret is not in its place/);
    await keys.generations.create(2);
    expect(await line()).toContain('whose secret is not in its place');
    renameSync(`${secret}.away`, secret);
  });

  it('repeats no secret that stands where a setting does, whatever is wrong with it', async () => {
    const planted = 'hunter2-planted';
    const { code, out, err } = await doctor(' --json', {
      CALLBACK_ALLOW_CIDRS: planted,
      SANDBOX_SECRET: planted,
      WORKER_POLL_MS: planted,
    });
    const fine = await doctor('', { SANDBOX_SECRET: planted, SANDBOX_KEY: planted });
    expect(code).toBe(EXIT.failed);
    expect([...out, ...err, ...fine.out, ...fine.err].join('\n')).not.toContain(planted);
  });

  it('reports each setting that cannot be read, also to a machine, and checks all that does not need it', async () => {
    const unread = { CALLBACK_ALLOW_CIDRS: 'planted', TRANSPARENCY_WITNESSES: 'planted' };
    const checks = async (env: Readonly<Record<string, string>>) => {
      const { code, out, err } = await doctor(' --json', env);
      const { findings } = JSON.parse(out[0] ?? '') as { findings: { check: string; state: string; found: string }[] };
      const faults = findings.filter(({ check, state }) => check === 'configuration' && state === 'fail');
      const names = findings.filter(({ found }) => found.startsWith('it was not checked')).map(({ check }) => check);
      const done = findings.filter(({ state }) => state === 'ok').map(({ check }) => check);
      return { end: [code, out.length, err], faults: faults.map(({ found }) => found), names, done };
    };
    const some = await checks(unread);
    expect([some.end, some.names]).toEqual([
      ...[
        [EXIT.failed, 1, []],
        ['log key', 'witnesses', 'egress'],
      ],
    ]);
    for (const name of Object.keys(unread))
      expect(some.faults.filter((fault) => fault.includes(`${name}: `))).toHaveLength(1);
    expect(some.done).toEqual(
      expect.arrayContaining(['indexes', 'master key', 'data folder', 'certificate of version 2.0']),
    );
    const none = await checks({ KAFKA_BROKERS: 'localhost:9092' });
    expect([none.end, none.names]).toEqual([[EXIT.failed, 1, []], ['stores']]);
    expect(none.faults).toEqual([expect.stringContaining('set both, or neither')]);
    expect(none.done).toEqual(expect.arrayContaining(['certificate of version 2.0', 'egress']));
  });

  itInFull('says of a receiver what the rules say, before anything is sent', async () => {
    const { out } = await doctor(' --to https://localhost/x', { TIMING_PROFILE: 'production' });
    expect(out).toContain(
      'FAIL  egress: localhost: such a URL names a host that callbacks are not sent to – ' +
        'allow it with CALLBACK_ALLOW_HOSTS, _CIDRS or _PORTS, if intended',
    );
    const port = await doctor(' --to https://receiver.example:8443/token', { CALLBACK_ALLOW_PORTS: '443' });
    expect(
      port.out.some((line) => line.startsWith('FAIL  egress: receiver.example:8443: such a URL names a port')),
    ).toBe(true);
    expect(port.out.join('\n')).not.toContain('token');
  });

  it('asks services whether they are ready, and what time it is there', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/readyz' ? 503 : 404;
      response.setHeader('date', new Date(Date.now() - BEHIND_MS).toUTCString());
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out } = await doctor(` --services http://127.0.0.1:${port},http://127.0.0.1:1`);
    server.close();
    expect(code).toBe(EXIT.failed);
    expect(
      out.some((line) =>
        line.startsWith(
          `FAIL  service 127.0.0.1:${port}: it is not ready (503) – its log and GET /readyz on its admin port show what is missing`,
        ),
      ),
    ).toBe(true);
    expect(out.some((line) => line.startsWith(`FAIL  clock of 127.0.0.1:${port}: its clock is 36`))).toBe(true);
    expect(out.some((line) => line.startsWith('FAIL  service 127.0.0.1:1: it does not answer'))).toBe(true);
  });

  it('asks services whether they sign the transparency log', async () => {
    const refused = (value: 0 | 1) =>
      ['behind', 'unreadable']
        .map((reason, n) => `opendsr_transparency_refused{reason="${reason}"} ${n * value}\n`)
        .join('');
    const lines: string[][] = [];
    for (const metrics of [refused(1), refused(0), 'opendsr_build_info{version="1"} 1\n']) {
      const server = createServer((request, response) => response.end(request.url === '/metrics' ? metrics : '{}'));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const { out } = await doctor(` --services http://127.0.0.1:${port}`);
      server.close();
      lines.push(
        out
          .filter((line) => line.includes(`transparency log of 127.0.0.1:${port}`))
          .map((line) => line.replace(/ of \S+:/, ':')),
      );
    }
    expect(lines).toEqual([
      ['FAIL  transparency log: it signs nothing (unreadable) – see OpenDSRTransparencyRefused in docker/RUNBOOK.md'],
      ['ok    transparency log: it refuses nothing'],
      [],
    ]);
  });
});

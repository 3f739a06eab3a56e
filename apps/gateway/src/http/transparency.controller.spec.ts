import 'reflect-metadata';
import { createHash, randomUUID } from 'node:crypto';
import { commands, evidenceLeaf, TOPICS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { entriesOf, isSignedBy, openCheckpoint } from '@opendsr-service/transparency';
import { testSigner, WitnessDouble } from '@opendsr-service/transparency/testing';
import { Service } from '../testing/service';
import { World } from '../testing/world';

const log = testSigner().verifier;
let world: World;
let service: Service;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  await service.stop();
  await world.close();
});

const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`http://127.0.0.1:${service.port}/transparency/${path}`, { headers });
const sizeShown = async () => openCheckpoint(await (await read('checkpoint')).text(), log)?.size;
const leaf = (n: number) =>
  evidenceLeaf(
    { ws: 'acme', kind: 'waiver', of: [n], digest: 'x'.repeat(43), at: '2026-11-21T09:00:00.000Z' },
    service.vault.leafKey,
  );

it('serves without credentials the current checkpoint, and tiles that caches keep for good', async () => {
  service = await Service.start(world);
  await until(async () => (await sizeShown()) === 0);
  const leaves = Array.from({ length: 300 }, (_, n) => leaf(n));
  await world.parts.log.publisher.publish(TOPICS.evidenceLeaves.name, leaves);
  await until(async () => (await sizeShown()) === 300);
  const checkpoint = await read('checkpoint');
  expect([checkpoint.headers.get('content-type'), checkpoint.headers.get('cache-control')]).toEqual([
    'text/plain; charset=utf-8',
    'public, max-age=1',
  ]);
  for (const [path, bytes] of [
    ['tile/0/000', 256 * 32],
    ['tile/0/001.p/44', 44 * 32],
    ['tile/1/000.p/1', 32],
  ] as const) {
    const tile = await read(path);
    expect([path, tile.status, tile.headers.get('content-type'), tile.headers.get('cache-control')]).toEqual([
      ...[path, 200, 'application/octet-stream'],
      'public, max-age=31536000, immutable',
    ]);
    expect((await tile.arrayBuffer()).byteLength).toBe(bytes);
    const again = await read(path, { 'if-none-match': tile.headers.get('etag') ?? '' });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  }
  const bundle = Buffer.from(await (await read('tile/entries/001.p/44')).arrayBuffer());
  expect(entriesOf(bundle)).toHaveLength(44);
});

it('has its verifier key beside discovery in the documents of the API', async () => {
  service = await Service.start(world);
  for (const version of ['v2', 'v1']) {
    const { paths } = (await (await service.call('GET', `/openapi/${version}.json`)).json()) as {
      paths: Record<string, { get: { description: string } }>;
    };
    expect(paths[`/${version}/discovery`]?.get.description).toContain(testSigner().verifierKey);
  }
});

it('shows the cosignatures of the configured witnesses, and measures the age of the last one of each', async () => {
  const witness = await WitnessDouble.start(log);
  const silent = await WitnessDouble.start(log, 'silent.example', 4);
  await silent.leave();
  service = await Service.start(world, {
    TRANSPARENCY_WITNESSES: `${witness.setting},${silent.setting}`,
    METRICS_INTERVAL_MS: '50ms',
  });
  const cosigned = async () => {
    const note = openCheckpoint(await (await read('checkpoint')).text(), log)?.note;
    return [witness, silent].map(({ signer }) => note !== undefined && isSignedBy(note, signer.verifier));
  };
  await until(async () => (await cosigned())[0] === true);
  expect(await cosigned()).toEqual([true, false]);
  await until(async () => {
    const metrics = await service.metrics();
    return (
      /^opendsr_witness_offers_total\{witness="witness_example_w1",outcome="cosigned"\} [1-9]/m.test(metrics) &&
      /^opendsr_witness_offers_total\{witness="silent_example",outcome="away"\} [1-9]/m.test(metrics) &&
      /^opendsr_witness_cosignature_age_seconds\{witness="witness_example_w1"\} 0$/m.test(metrics)
    );
  });
  world.clock.advance(100_000);
  await until(async () =>
    /^opendsr_witness_cosignature_age_seconds\{witness="silent_example"\} 100$/m.test(await service.metrics()),
  );
  await witness.leave();
});

it('measures each witness by itself, whatever its name is', async () => {
  const names = [
    ...['7.witness.example', 'witness.example/', 'witness.example', 'w-20261127.example', `deadbeefdeadbeef.example`],
    ...['a', 'b'].map((end) => `${'long.'.repeat(20)}${end}`),
  ];
  const witnesses = await Promise.all(names.map((name, index) => WitnessDouble.start(log, name, index + 3)));
  service = await Service.start(world, {
    TRANSPARENCY_WITNESSES: witnesses.map(({ setting }) => setting).join(),
    METRICS_INTERVAL_MS: '50ms',
  });
  for (const name of ['opendsr_witness_cosignature_age_seconds', 'opendsr_witness_offers_total']) {
    const labels = async () =>
      new Set(
        [...(await service.metrics()).matchAll(new RegExp(`^${name}.*witness="(\\w+)"`, 'gm'))].map(([, one]) => one),
      );
    await until(async () => (await labels()).size === names.length);
    expect(await labels()).not.toContain('_other');
    expect([...(await labels())]).toEqual(expect.arrayContaining(['_7_witness_example', 'w_20261_127_example']));
  }
  await Promise.all(witnesses.map((witness) => witness.leave()));
});

it('answers 404 for tiles beyond the checkpoint and for invalid tile paths', async () => {
  service = await Service.start(world);
  await until(async () => (await sizeShown()) === 0);
  for (const path of [
    'tile/0/000',
    'tile/0/000.p/1',
    'tile/entries/000.p/1',
    'tile/x',
    'tile/0/..%2f000',
    'issuer/a',
    '',
  ])
    expect([path, (await read(path)).status]).toEqual([path, 404]);
});

it('limits calls of checkpoints and tiles together by source address, like discovery', async () => {
  service = await Service.start(world, { RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '3' });
  await until(async () => {
    world.clock.advance(60_000);
    return (await sizeShown()) === 0;
  });
  world.clock.advance(60_000);
  const discovery = await service.call('GET', '/v2/discovery', { anonymous: true });
  const passed = [discovery, await read('tile/0/000'), await read('checkpoint')];
  expect(passed.map(({ status }) => status)).toEqual([200, 404, 200]);
  for (const path of ['checkpoint', 'tile/0/000', 'tile/entries/000.p/1']) {
    const refused = await read(path);
    expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 429, '20']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toEqual({
      code: 429,
      message: 'Too many requests.',
      errors: [{ domain: 'Limits', reason: 'TooManyRequestsException', message: 'Too many requests.' }],
    });
  }
  world.clock.advance(20_000);
  expect((await read('checkpoint')).status).toBe(200);
});

it('the command of a create holds the digest of its receipt and signature, which who guesses the body cannot make', async () => {
  service = await Service.start(world);
  const answer = await service.call('POST', '/v2/requests', {
    body: {
      ...{ regulation: 'gdpr', subject_request_id: randomUUID(), subject_request_type: 'access' },
      submitted_time: '2026-11-20T08:00:00Z',
      subject_identities: [{ identity_type: 'email', identity_value: 'ann@example.com', identity_format: 'raw' }],
    },
  });
  const digest = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .update(Buffer.from(answer.headers.get('x-opendsr-signature') ?? '', 'base64'))
    .digest('base64url');
  const [command] = (await world.records(TOPICS.commands.name, 1)).map((record) => commands.decode(record));
  expect(command).toMatchObject({ type: 'SubmitRequest', request: { receipt: digest } });
});

import 'reflect-metadata';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAttestation, readBundle, VERSIONS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { readEnvelope } from '@opendsr-service/signing';
import { isIncluded, leafHash, openCheckpoint } from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';
import { publishCancellation, publishEvents } from '../../testing/publish-events';
import { serveForTests } from '../../testing/serve-for-tests';
import { namedSigners, Service } from '../../testing/service';
import { signatureOf } from '../../testing/signer';
import { World } from '../../testing/world';
import type { RequestDocument } from '../../admission/request.document';

const signers = namedSigners();
const generations = mkdtempSync(join(tmpdir(), 'generations-'));
const here = serveForTests({ KEY_GENERATION_FOLDER: generations, SWEEP_POLL_MS: '100ms' }, signers);
afterAll(() => rmSync(generations, { recursive: true }));

describe.each(VERSIONS)('the attestation of a request in version $apiVersion', (version) => {
  const requests = `/${version.root}/${version.requestsRoute}`;
  const signer = signers[version.root as keyof typeof signers];
  let path: string;
  let srid: string;
  const read = (more = '', headers = {}) => here.service.send('GET', `${path}/attestation${more}`, headers);
  const statusOf = async (more?: string) => (await read(more)).status;

  beforeAll(async () => {
    srid = randomUUID();
    path = `${requests}/${srid}`;
    const body = {
      ...(version.hasRegulation && { regulation: 'gdpr' }),
      ...{ subject_request_id: srid, subject_request_type: 'erasure', submitted_time: '2026-11-20' },
      subject_identities: [{ identity_type: 'email', identity_value: `${srid}@example.com`, identity_format: 'raw' }],
    };
    expect((await here.service.call('POST', requests, { body })).status).toBe(201);
    expect([await statusOf(), await statusOf('/bundle')]).toEqual([404, 404]);
    expect((await here.service.call('DELETE', path)).status).toBe(202);
    await publishCancellation(here.world, { ws: 'sandbox', srid });
    await until(async () => (await statusOf('/bundle')) === 200);
  });

  it('is an envelope under its own type, signed twice: inside, and like every answer', async () => {
    const answer = await read();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get(version.signatureHeader)]).toEqual([
      ...[200, 'application/vnd.dsse.envelope.v1+json'],
      signatureOf(signer.domain),
    ]);
    const envelope = readEnvelope(JSON.parse(bytes.toString()));
    expect(envelope?.signatures).toEqual([
      { signature: signatureOf(signer.domain), certificatePem: signer.certificatePem },
    ]);
    expect(readAttestation(envelope?.payload as Buffer)).toMatchObject({
      attestation: { requestId: srid, outcome: 'cancelled', interfaceVersion: version.apiVersion },
    });
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    expect(answer.headers.get('etag')).toBe(etag);
    expect((await read('', { 'if-none-match': etag })).status).toBe(304);
  });

  it('has a bundle that proves that the log holds these bytes', async () => {
    const answer = await read('/bundle');
    expect(answer.headers.get('content-type')).toBe('application/vnd.opendsr-service.attestation-bundle.v1+json');
    const bundle = readBundle(await answer.json());
    const checkpoint = openCheckpoint(bundle?.checkpoint ?? '', testSigner().verifier);
    if (!bundle || !checkpoint) throw new Error('no bundle of this log');
    const inclusion = bundle.inclusion.map((hash) => Buffer.from(hash));
    expect(isIncluded(leafHash(Buffer.from(bundle.entry)), bundle.index, inclusion, checkpoint)).toBe(true);
    expect(JSON.parse(String(bundle.entry))).toMatchObject({
      kind: 'attestation',
      digest: createHash('sha256').update(bundle.envelope).digest('base64url'),
    });
    expect(Buffer.from(bundle.envelope).equals(Buffer.from(await (await read()).arrayBuffer()))).toBe(true);
  });

  it('is asked for by statement, and by nobody without credentials', async () => {
    expect([await statusOf('?statement=1'), await statusOf('?statement=2'), await statusOf('?statement=3')]).toEqual([
      200, 404, 400,
    ]);
    expect([await statusOf('/bundle?statement=1'), await statusOf('/bundle?statement=2')]).toEqual([200, 404]);
    expect((await here.service.call('GET', `${path}/attestation`, { anonymous: true })).status).toBe(401);
    path = `${requests}/${randomUUID()}`;
    expect([await statusOf(), await statusOf('/bundle')]).toEqual([404, 404]);
  });

  it('has its metric', async () => {
    const made = /^opendsr_attestations_total\{.*statement="1".*\} (\d+)$/m.exec(await here.service.metrics())?.[1];
    expect(Number(made)).toBeGreaterThan(0);
  });
});

it('an erasure gets a second attestation from the running service, once the generation of its keys is gone', async () => {
  const { world, service } = here;
  const of = { ws: 'sandbox', srid: randomUUID() };
  const path = `/v2/requests/${of.srid}`;
  const body = {
    ...{ regulation: 'gdpr', subject_request_id: of.srid, subject_request_type: 'erasure' },
    submitted_time: '2026-11-20',
    subject_identities: [{ identity_type: 'email', identity_value: `${of.srid}@example.com`, identity_format: 'raw' }],
  };
  expect((await service.call('POST', '/v2/requests', { body })).status).toBe(201);
  const statusIs = async (status: string) =>
    ((await (await service.call('GET', path)).json()) as Record<string, unknown>)['request_status'] === status;
  await until(() => {
    world.clock.advance(60_000);
    return statusIs('in_progress');
  });
  await publishEvents(world, of, [
    { type: 'LaterEvent', commandSeq: 1 },
    { type: 'LaterEvent', commandSeq: 2 },
    {
      ...{ type: 'ParticipantReported', commandSeq: 2, participant: 'ingestion', status: 'completed' },
      destroyed: { profiles: 1, keys: 1, tombstones: [randomUUID()] },
    },
    { type: 'RequestFulfilled', commandSeq: 2 },
    { type: 'RequestCompleted', commandSeq: 3 },
  ]);
  const read = (statement: number) => service.call('GET', `${path}/attestation?statement=${statement}`);
  await until(async () => (await read(1)).status === 200);
  const first = Buffer.from(await (await read(1)).arrayBuffer());
  expect((await read(2)).status).toBe(404);
  await until(async () => {
    world.clock.advance(86_400_000);
    return (await read(2)).status === 200;
  });
  const payload = readEnvelope(await (await read(2)).json())?.payload;
  expect(readAttestation(payload as Buffer)).toMatchObject({
    attestation: {
      ...{ statement: 2, requestId: of.srid, destroyed: { profiles: 1, keys: 1 } },
      ...{ previous: createHash('sha256').update(first).digest('base64url') },
      erasure: { generationDestroyedAt: expect.any(String) as string },
    },
  });
});

it('is due for every process at once where one stops that has not made it', async () => {
  const world = await World.open();
  const stopping = await Service.start(world, { CHECKPOINT_POLL_MS: '1h' });
  const of = { ws: 'sandbox', srid: randomUUID() };
  const body = {
    ...{ regulation: 'gdpr', subject_request_id: of.srid, subject_request_type: 'access' },
    submitted_time: '2026-11-20',
    subject_identities: [{ identity_type: 'email', identity_value: `${of.srid}@example.com`, identity_format: 'raw' }],
  };
  expect((await stopping.call('POST', '/v2/requests', { body })).status).toBe(201);
  expect((await stopping.call('DELETE', `/v2/requests/${of.srid}`)).status).toBe(202);
  await publishCancellation(world, of);
  const attestAt = async () =>
    (await world.parts.connection.collection<RequestDocument>('requests').findOne(of))?.attestAt;
  await until(async () => (await attestAt()) !== undefined);
  const now = world.clock.now();
  expect((await attestAt())?.getTime()).toBeGreaterThan(now.getTime());
  await stopping.stop();
  expect(await attestAt()).toEqual(now);
  await world.close();
});

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isRecordSignedBy, participantReports, TOPICS, type ExportItem } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { createLogger } from '@opendsr-service/service';
import { builtInReportKey } from '@opendsr-service/workspaces';
import { readZip } from './testing/read-zip';
import { OTHER_TOKEN, Service } from './testing/service';
import { SECOND_PASS_MS, VALIDITY_MS, World } from './testing/world';

const COLLECTIONS = ['archives', 'chunks', 'archiveSubjects', 'erasures', 'erasedSubjects', 'positions'];

describe('the results service', () => {
  let world: World;
  let service: Service;
  const lines: string[] = [];
  beforeAll(async () => {
    world = await World.open();
    service = await Service.start(
      world,
      createLogger('results', 'debug', { write: (line: string) => void lines.push(line) }),
    );
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });
  const publish = (...records: LogRecord[]) =>
    world.parts.events.publisher.publish(
      TOPICS.requestEvents.name,
      records.map(({ key, value, headers }) => ({ key, value, headers })),
    );
  const about = (subject: string, batches = 1): ExportItem[] => [
    { subjects: [subject] },
    { profile: '{"id":1}' },
    ...Array.from({ length: batches }, () => ({ batch: `{"r":"${randomBytes(48_000).toString('base64')}"}` })),
    { end: { profiles: 1, batches, attributes: 0 } },
  ];

  it('builds from the log, serves the zip with its length, and answers 410 after its validity', async () => {
    const srid = 'ffffffff-0000-4000-8000-000000000001';
    world.source.exports.set(srid, about('a'));
    await publish(world.started(srid));
    const answer = await service.answers(srid, 200);
    expect(
      Object.fromEntries(
        ['content-type', 'content-disposition', 'cache-control'].map((name) => [name, answer.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="results.zip"',
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')));
    expect((await readZip(bytes)).get('profile.jsonl')).toBe('{"id":1}\n');
    await world.complete(srid);
    world.parts.clock.advance(VALIDITY_MS);
    expect((await service.answers(srid, 410)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('answers 404 for an unknown link, and 401 without one of the service tokens', async () => {
    expect((await service.get('unknown')).status).toBe(404);
    expect((await service.get('unknown', OTHER_TOKEN)).status).toBe(404);
    expect((await service.get('unknown', 'guess')).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${service.adminPort}/internal/results/x`)).status).toBe(401);
  });

  it('serves the whole archive again after an interrupted download', async () => {
    const srid = await world.start(about('a', 16));
    const cut = await service.answers(srid, 200);
    const reader = cut.body?.getReader();
    const begun = Buffer.from((await reader?.read())?.value ?? []);
    await reader?.cancel();
    const whole = async () => Buffer.from(await (await service.open(srid)).arrayBuffer());
    const [first, second] = [await whole(), await whole()];
    expect(first.subarray(0, begun.length).equals(begun)).toBe(true);
    expect([begun.length < first.length, second.equals(first)]).toEqual([true, true]);
    const files = await readZip(first);
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as { files: { name: string; sha256: string }[] };
    expect(manifest.files.map(({ name }) => name)).toEqual(['profile.jsonl', 'events-001.jsonl']);
    for (const { name, sha256 } of manifest.files)
      expect(
        createHash('sha256')
          .update(files.get(name) ?? '')
          .digest('hex'),
      ).toBe(sha256);
  });

  it('breaks the connection if an archive is destroyed during the download', async () => {
    const srid = await world.start(about('a', 16));
    await service.answers(srid, 200).then((answer) => answer.body?.cancel());
    const ids = (await world.chunkIds(srid)).sort();
    await world.parts.connection.collection<{ _id: string }>('chunks').deleteOne({ _id: ids.at(-1) ?? '', ws: 'ws' });
    const answer = await service.open(srid);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('destroys archives on ingestion’s report of an erasure, and reports its own share under its own key', async () => {
    const srid = await world.start(about('erased'));
    await service.answers(srid, 200).then((answer) => answer.body?.cancel());
    const erasure = 'ffffffff-0000-4000-8000-000000000002';
    await publish(
      world.started(erasure, { type: 'erasure', participants: ['ingestion', 'results'] }),
      world.reported(erasure, { erased: ['erased'] }),
    );
    await service.answers(srid, 410);
    const reports: LogRecord[] = [];
    const read = async () => {
      reports.length = 0;
      await world.parts.events.read(TOPICS.participantReports.name, {}, (records) =>
        Promise.resolve(void reports.push(...records)),
      );
      return reports.filter((record) => participantReports.decode(record).srid === erasure);
    };
    await until(
      async () =>
        (await world.stores.erasures.claimDue(world.parts.clock.now(), 1)).length === 0 &&
        (await world.subjectsOf(srid)) === 1,
    );
    expect(await read()).toEqual([]);
    await until(async () => {
      world.parts.clock.advance(SECOND_PASS_MS);
      return (await read()).length > 0;
    });
    const [report] = await read();
    expect(report && participantReports.decode(report)).toMatchObject({ participant: 'results', status: 'completed' });
    expect(report && isRecordSignedBy(report, builtInReportKey(world.parts.seal, 'results'))).toBe(true);
  });

  it('parks malformed records with a reason that reveals no personal data, and continues', async () => {
    const planted = 'planted-person@example.com';
    const srid = await world.start(about('a'));
    const good = world.started(srid);
    const broken = [
      `{"${planted}`,
      `{"type":"RequestStarted","ws":"${planted}","srid":"${planted}","participants":{"${planted}":1}}`,
      `["${planted}"]`,
    ];
    await publish(
      ...broken.map((value, n) => ({ ...good, key: `ws:${n}`, value: Buffer.from(value) })),
      { ...good, key: 'ws:4', headers: { ce_type: planted } },
      good,
    );
    const parked = () => world.parts.connection.collection<{ reason: string }>('parked').find({}).toArray();
    await until(async () => (await parked()).length === 4);
    const reasons = (await parked()).map(({ reason }) => reason);
    expect(reasons.map((reason) => reason.split(':')[0])).toEqual(['not-json', 'schema', 'schema', 'unknown-type']);
    expect([...reasons, ...lines].filter((text) => text.includes(planted))).toEqual([]);
    expect(lines.some((line) => line.includes('record parked'))).toBe(true);
    await service.answers(srid, 200).then((answer) => answer.body?.cancel());
  });
});

it('ends its builds before the stores are closed', async () => {
  const world = await World.open();
  const service = await Service.start(world);
  const end = Promise.withResolvers<void>();
  const srid = randomUUID();
  world.source.waits.set(srid, end.promise);
  await world.consumer.handleBatch([world.started(srid)]);
  await until(async () => (await world.stores.archives.find('ws', srid))?.token !== undefined);
  const stopped = service
    .stop()
    .then(async (allWell) => ({ allWell, state: (await world.stores.archives.find('ws', srid))?.state }));
  await until(() => unanswered(service));
  end.resolve();
  const seen = await stopped;
  await world.close();
  expect(seen).toEqual({ allWell: true, state: 'empty' });
});

/** The listener closes before the workers stop. */
const unanswered = (service: Service) =>
  service.get('unknown').then(
    () => false,
    () => true,
  );

it('serves no data of an erased subject from a restored older copy', async () => {
  const world = await World.open();
  const [gone, kept] = await Promise.all(
    ['erased', 'other'].map((subject) =>
      world.start([{ subjects: [subject] }, { profile: '{}' }, { end: { profiles: 1, batches: 0, attributes: 0 } }]),
    ),
  );
  await world.worker.runOnce();
  const copy = await Promise.all(
    COLLECTIONS.map(async (name) => [name, await world.parts.connection.collection(name).find({}).toArray()] as const),
  );
  await world.erase('erased');
  await world.erasure.runOnce();
  for (const [name, documents] of copy) {
    await world.parts.connection.collection(name).deleteMany({});
    if (documents.length > 0) await world.parts.connection.collection(name).insertMany(documents);
  }
  expect((await world.chunkIds(gone ?? '')).length).toBe(1);
  const service = await Service.start(world);
  expect([
    (await service.open(gone ?? '')).status,
    await world.chunkIds(gone ?? ''),
    await world.subjectsOf(gone ?? ''),
  ]).toEqual([410, [], 0]);
  expect((await service.open(kept ?? '')).status).toBe(200);
  await service.stop();
  await world.close();
});

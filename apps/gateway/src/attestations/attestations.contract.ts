import { createHash, randomUUID } from 'node:crypto';
import {
  evidenceLeaves,
  readAttestation,
  readBundle,
  requestKey,
  TOPICS,
  V2,
  type Destroyed,
  type RequestType,
} from '@opendsr-service/contracts';
import type { EventLog, LogRecord } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock, silentLogger } from '@opendsr-service/service';
import { readEnvelope } from '@opendsr-service/signing';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { testSigner } from '@opendsr-service/transparency/testing';
import type { Connection } from 'mongoose';
import { AdmissionsStore } from '../admission/admissions.store';
import { EndedHere } from '../admission/ended-here';
import type { RequestDocument } from '../admission/request.document';
import { database } from '../database.config';
import { openTransparencyLog } from '../evidence/transparency-log.wiring';
import { RequestKeysStore } from '../keys/request-keys.store';
import { AdmissionMeasures } from '../measures/admission-measures.store';
import { dyingConnection, Killed } from '../testing/dying-connection';
import { leafKey } from '../testing/leaves';
import { openLoggedDatabase, withoutRecords } from '../testing/logged-database';
import { NamedSigner } from '../testing/signer';
import { openAttestations } from './attestations.wiring';
import type { AttestationsWorker } from './attestations.worker';
import type { AttestationDocument } from '../evidence/attestation.document';
import type { ReportFacts } from '../admission/reports';

const MINUTE_MS = 60_000;
const AT = '2026-11-21T09:00:00.000Z';
const HISTORY = createHash('sha256').update('the last event').digest('base64url');
const RECEIPT = createHash('sha256').update('the receipt').digest('base64url');
const TOMBSTONE = '00000000-0000-5000-8000-000000000041';
const ERASED: Destroyed = { profiles: 1, batches: 12, keys: 1, tombstones: [TOMBSTONE] };

/** The rules of attestations that hold on every store. */
export function attestationsContract(name: string, open: () => Promise<Storage>): void {
  describe(`attestations on ${name}`, () => {
    const ws = 'acme';
    let storage: Storage;
    let connection: Connection;
    let close: () => Promise<void>;
    let log: EventLog;
    let publisher: SwitchedPublisher;
    let clock: ManualClock;
    let signer: NamedSigner;
    /** The generation of new keys, and the last one that is gone; undefined: there are none. */
    let generations: { current: number; gone: number } | undefined;

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());
    beforeEach(async () => {
      ({ connection, log, close } = await openLoggedDatabase(storage, 'attest'));
      publisher = new SwitchedPublisher(log.publisher);
      clock = new ManualClock(new Date(AT));
      signer = new NamedSigner('dsr.example.com');
      generations = { current: 4, gone: 0 };
      database.models(connection);
      await ensureIndexes(connection);
    });
    afterEach(() => close());

    const vault = {
      leafKey,
      index: () => Promise.resolve({ hash: (...parts: string[]) => parts.join('|') }),
      lastGeneration: () => Promise.resolve(generations?.current),
      isGenerationGone: (generation: number) => Promise.resolve((generations?.gone ?? 0) >= generation),
    };
    /** A process of its own. */
    const process = (on: Connection = connection) => {
      const read: EventLog['read'] = (...given) => log.read(...given);
      const events = { read, publisher };
      const admissions = new AdmissionsStore(on, MINUTE_MS);
      const transparency = openTransparencyLog({
        ...{ connection: on, events, vault, logSigner: testSigner(), witnesses: [], clock },
        log: silentLogger,
      });
      const versions = [{ version: V2, signer }];
      const parts = { connection: on, events, vault, versions, clock, log: silentLogger };
      const here = new EndedHere();
      return { admissions, transparency, here, ...openAttestations(parts, transparency, { admissions, here }) };
    };
    const drain = async (worker: Pick<AttestationsWorker, 'runOnce'> = process().worker) => {
      let count = 0;
      for (let some = await worker.runOnce(); some > 0; some = await worker.runOnce()) count += some;
      return count;
    };

    interface Life {
      readonly type?: RequestType;
      readonly reports?: Readonly<Record<string, ReportFacts>>;
      readonly isCancelled?: boolean;
    }
    const report = (more: Partial<ReportFacts> = {}): ReportFacts => ({ status: 'completed', at: AT, ...more });

    /** A request that has ended, by events that a process applied which has died since. */
    async function ended({ type = 'access', reports = { results: report() }, isCancelled = false }: Life = {}) {
      const [{ admissions: store }, srid, now] = [process(), randomUUID(), clock.now()];
      const legalDueAt = new Date(now.getTime() + 30 * MINUTE_MS);
      const admitted = await store.admit({
        ...{ _id: requestKey(ws, srid), ws, srid, sentId: srid.toUpperCase() },
        ...{ controllerId: 'acme-shop', apiVersion: '2.0', type },
        ...{ regulation: 'gdpr', submittedTime: now, receivedAt: now, expectedAt: now, startAt: now, legalDueAt },
        ...{ groupId: null, receipt: RECEIPT, kid: 'k', fingerprint: srid },
        sealed: { identities: 's', callbacks: [] },
      });
      if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
      const of = { ws, srid };
      const end = { history: HISTORY, attestAt: clock.now() };
      await store.acknowledge({ ...of, v: 1, commandSeq: 1 });
      if (isCancelled) {
        await store.cancel(ws, srid, clock.now());
        await store.acknowledge({ ...of, v: 2, commandSeq: 2, end, keyDueAt: now });
        return admitted;
      }
      await store.start(admitted, clock.now());
      await store.acknowledge({ ...of, v: 2, commandSeq: 2 });
      clock.advance(MINUTE_MS);
      await store.complete({ ...of, v: 3, commandSeq: 2, reports }, clock.now());
      await store.acknowledge({ ...of, v: 4, commandSeq: 3, keyDueAt: now, end: { ...end, attestAt: clock.now() } });
      return admitted;
    }
    const erased = () =>
      ended({
        type: 'erasure',
        reports: {
          results: report({ destroyed: { archives: 0, keys: 0, tombstones: [] } }),
          ingestion: report({ destroyed: ERASED }),
        },
      });
    const statementOf = (envelope: string) => {
      const statement = readAttestation(readEnvelope(JSON.parse(envelope))?.payload as Buffer);
      if ('kind' in statement) throw new Error(`${statement.kind} ${statement.at}`);
      return statement;
    };
    const stored = () => connection.collection<AttestationDocument>('attestations').find({}).toArray();
    const records = async () => {
      const all: LogRecord[] = [];
      await log.read(TOPICS.evidenceLeaves.name, {}, (some) => (all.push(...some), Promise.resolve()));
      return all;
    };
    const leaves = async () => (await records()).map((record) => evidenceLeaves(leafKey).decode(record));
    const read = async (request: RequestDocument, asked?: 1 | 2) =>
      String(await process().answers.envelope(ws, request.srid, asked));
    const isAbsent = { name: 'ApiError', status: 404 };
    /** What the log says was attested, and what is stored: each request once, and the same. */
    const expectOneEach = async (requests: readonly RequestDocument[], statement = 1) => {
      const documents = (await stored()).filter((one) => one.statement === statement);
      expect(documents.map(({ srid }) => srid).sort()).toEqual(requests.map(({ srid }) => srid).sort());
      const logged = (await leaves()).filter(({ attestation }) => attestation?.statement === statement);
      for (const { srid, digest, envelope } of documents) {
        expect(digest).toBe(createHash('sha256').update(envelope).digest('base64url'));
        const own = logged.filter(({ attestation }) => attestation?.srid === srid);
        expect(new Set(own.map((leaf) => `${leaf.id} ${leaf.digest}`)).size).toBe(1);
        expect(own[0]).toMatchObject({ kind: 'attestation', ws, digest, attestation: { envelope } });
      }
    };

    it('are made soon after an end that this process applied: it wakes the worker', () => {
      const { worker } = process();
      let heard = 0;
      worker.signal.subscribe(() => void (heard += 1));
      worker.add({ ws, srid: randomUUID(), history: HISTORY });
      expect(heard).toBe(1);
    });

    it('say what became of a request, signed by the processor, once its leaf is on the log', async () => {
      const request = await ended({
        type: 'erasure',
        reports: {
          ingestion: report({ destroyed: ERASED }),
          results: report({ destroyed: { archives: 2, keys: 2, tombstones: [] } }),
          crm: report({ status: 'skipped', waivedBy: 'privacy-office' }),
        },
      });
      await expect(read(request)).rejects.toMatchObject(isAbsent);
      expect(await drain()).toBe(1);
      const envelope = await read(request);
      expect(readEnvelope(JSON.parse(envelope))?.signatures).toEqual([
        { signature: await signer.sign(), certificatePem: signer.certificatePem },
      ]);
      expect(statementOf(envelope)).toEqual({
        subjects: { receipt: RECEIPT, events: HISTORY },
        attestation: {
          statement: 1,
          ...{ workspace: ws, controllerId: 'acme-shop' },
          ...{ requestId: request.srid.toUpperCase(), requestType: 'erasure' },
          ...{ regulation: 'gdpr', interfaceVersion: '2.0', receivedAt: AT, startedAt: AT },
          ...{ endedAt: '2026-11-21T09:01:00.000Z', outcome: 'completed' },
          ...{ legalDueAt: '2026-11-21T09:30:00.000Z', legalDateKept: true },
          participants: [
            { name: 'crm', status: 'skipped', reportedAt: AT, waivedBy: 'privacy-office' },
            { name: 'ingestion', status: 'completed', reportedAt: AT },
            { name: 'results', status: 'completed', reportedAt: AT },
          ],
          destroyed: {
            ...{ profiles: 1, batches: 12, archives: 2, keys: 3 },
            ...{ tombstones: [TOMBSTONE], unnamedTombstones: 2 },
          },
          erasure: { secondPass: true, generation: 4, backups: 'not-known' },
        },
      });
      await expectOneEach([request]);
      expect(await drain()).toBe(0);
    });

    it('say of a cancelled request that nothing began', async () => {
      const request = await ended({ isCancelled: true });
      await drain();
      const { attestation } = statementOf(await read(request));
      expect(attestation).toMatchObject({ outcome: 'cancelled', participants: [] });
      for (const field of ['startedAt', 'destroyed', 'erasure']) expect(attestation).not.toHaveProperty(field);
      await expect(read(request, 2)).rejects.toMatchObject(isAbsent);
    });

    it('hold nothing that is sealed, and stay when the key of the request is gone', async () => {
      const request = await ended();
      await drain();
      const before = await read(request);
      await connection
        .collection('requests')
        .updateMany({ ws }, { $set: { keyGoneAt: new Date() }, $unset: { sealed: 1 } });
      expect(await read(request)).toBe(before);
      await expect(process().answers.envelope('other', request.srid, undefined)).rejects.toMatchObject(isAbsent);
    });

    it('are made in pages, the own requests of a process first', async () => {
      const [own, other] = [[await ended(), await ended()], await ended()];
      const one = process();
      for (const request of own) one.worker.add({ ...request, history: HISTORY });
      expect(await one.worker.runOnce()).toBe(3);
      expect((await leaves()).at(-1)).toMatchObject({ attestation: { srid: other.srid } });
      await expectOneEach([...own, other]);
    });

    describe('of requests that the process has ended itself', () => {
      const unmarked = () => connection.collection('requests').countDocuments({ attestAt: { $exists: true } });
      async function attestedHere() {
        const [request, one] = [await ended(), process()];
        const attestAt = new Date(clock.now().getTime() + MINUTE_MS);
        await connection.collection('requests').updateMany({ ws }, { $set: { attestAt } });
        one.here.add({ ...request, completedAt: clock.now(), controllerId: 'as in memory' });
        one.worker.add({ ...request, history: HISTORY });
        expect([await one.worker.runOnce(), await unmarked()]).toEqual([1, 1]);
        return { request, one };
      }

      it('are made without another read of them, and noted by the write that notes their persons', async () => {
        const { request, one } = await attestedHere();
        await expect(read(request)).rejects.toMatchObject(isAbsent);
        await one.transparency.evidenceLeaves.take(await records());
        expect(statementOf(await read(request)).attestation.controllerId).toBe('as in memory');
        const [taken] = one.here.takeFirst(1);
        expect(taken).toMatchObject({ isAttested: true, document: { _id: request._id } });
        await new RequestKeysStore(connection, MINUTE_MS).personsRecorded(request, true);
        expect(await unmarked()).toBe(0);
        await expectOneEach([request]);
      });

      it('are noted by another process where it dies before, and published no second time', async () => {
        const { request, one } = await attestedHere();
        await one.transparency.evidenceLeaves.take(await records());
        clock.advance(MINUTE_MS);
        const other = process();
        expect(await drain(other.worker)).toBe(1);
        expect(await unmarked()).toBe(0);
        expect(await records()).toHaveLength(1);
        const counted = [one, other].map(({ counts }) => counts.metric.read()[0]?.value);
        expect(counted).toEqual([1, 0]);
        await expectOneEach([request]);
      });

      it('are due for every process at once where it stops before, since the stop', async () => {
        const [request, one, oldest] = [await ended(), process(), new AdmissionMeasures(connection)];
        const attestAt = new Date(clock.now().getTime() + MINUTE_MS);
        await connection.collection('requests').updateMany({ ws }, { $set: { attestAt } });
        one.worker.add({ ...request, history: HISTORY });
        const stoppedAt = clock.now();
        await one.worker.release();
        expect(await oldest.oldestUnattested(clock.now())).toEqual(stoppedAt);
        expect([await drain(one.worker), await unmarked()]).toEqual([1, 0]);
        await expectOneEach([request]);
      });

      it('are noted by themselves where the persons were recorded first', async () => {
        const [request, one] = [await ended(), process()];
        one.here.add(request);
        one.here.takeFirst(1);
        one.worker.add({ ...request, history: HISTORY });
        await one.worker.runOnce();
        expect(await unmarked()).toBe(0);
      });
    });

    it('wait for the log while it is away', async () => {
      const request = await ended();
      publisher.away = true;
      expect(await process().worker.runOnce()).toBe(0);
      publisher.away = false;
      publisher.slow = true;
      await expect(process().worker.runOnce()).rejects.toThrow();
      publisher.slow = false;
      await expect(read(request)).rejects.toMatchObject(isAbsent);
      await drain();
      await expectOneEach([request]);
    });

    it.each([
      ['due for every process', false],
      ['ended by the process itself', true],
    ])(
      'are one each where its process dies between any two writes and the certificate is renewed (%s)',
      async (_, isOwn) => {
        const requests: RequestDocument[] = [];
        for (let deaths = 0, writes = 0; ; writes += 1) {
          const [request, mortal] = [await erased(), process(dyingConnection(connection, writes))];
          requests.push(request);
          if (isOwn) {
            const document = await mortal.admissions.find(ws, request.srid);
            mortal.here.add(document ?? request);
            mortal.worker.add({ ...request, history: HISTORY });
          }
          const died = await drain(mortal.worker).then(
            () => false,
            (error: unknown) => {
              if (error instanceof Killed) return true;
              throw error;
            },
          );
          deaths += died ? 1 : 0;
          const before = await stored();
          signer = signer.next();
          await drain();
          await expectOneEach(requests);
          for (const { _id, envelope } of before)
            expect((await stored()).find((one) => one._id === _id)?.envelope).toBe(envelope);
          if (!died) {
            expect(deaths).toBeGreaterThanOrEqual(2);
            return;
          }
        }
      },
    );

    it('are one for each request where two processes with two certificates make them at once', async () => {
      const requests = await Promise.all([ended(), ended(), ended()]);
      const one = process();
      signer = signer.next();
      await Promise.all([drain(one.worker), drain()]);
      await expectOneEach(requests);
    });

    it('come back to an older copy of the database from the log, and no other one is signed', async () => {
      const request = await erased();
      const copy = await connection.collection('requests').find({}).toArray();
      await drain();
      const envelope = await read(request);
      for (const collection of ['attestations', 'leaves']) await connection.collection(collection).deleteMany({});
      await connection.collection('requests').deleteMany({});
      await connection.collection('requests').insertMany(copy);
      signer = signer.next();
      const after = process();
      await after.transparency.evidenceLeaves.catchUp();
      await drain(after.worker);
      expect(await read(request)).toBe(envelope);
      await expectOneEach([request]);
    });

    it('come back where a copy holds the leaf and not the attestation, and stay away where the log lost it too', async () => {
      const [request, lost] = [await erased(), await erased()];
      await drain();
      const before = process();
      await before.transparency.evidenceLeaves.take(await records());
      const envelope = await read(request);
      await connection.collection('attestations').deleteMany({});
      await connection.collection('requests').updateMany({ ws }, { $set: { attestAt: clock.now() } });
      signer = signer.next();
      await withoutRecords(log, lost.srid, drain);
      expect(await read(request)).toBe(envelope);
      await expect(read(lost)).rejects.toMatchObject(isAbsent);
      expect(await connection.collection('requests').countDocuments({ attestAt: { $exists: true } })).toBe(0);
    });

    it('are followed by a second one when the generation of the destroyed keys is gone, by one process of two', async () => {
      const [erasure, access] = [await erased(), await ended()];
      await drain();
      const first = await read(erasure);
      expect(await process().seconds.runOnce()).toBe(0);
      generations = { current: 5, gone: 4 };
      clock.advance(MINUTE_MS);
      const both = await Promise.all([process().seconds.runOnce(), process().seconds.runOnce()]);
      expect(both.sort()).toEqual([0, 1]);
      const second = statementOf(await read(erasure));
      const { attestation, subjects } = statementOf(first);
      expect(second).toEqual({
        subjects,
        attestation: {
          ...attestation,
          statement: 2,
          previous: createHash('sha256').update(first).digest('base64url'),
          erasure: {
            secondPass: true,
            generation: 4,
            generationDestroyedAt: '2026-11-21T09:03:00.000Z',
            backups: 'not-known',
          },
        },
      });
      expect([await read(erasure, 1), await read(erasure, 2)]).toEqual([first, await read(erasure)]);
      await expect(read(access, 2)).rejects.toMatchObject(isAbsent);
      await expectOneEach([erasure], 2);
      expect(await process().seconds.runOnce()).toBe(0);
    });

    it('are followed by second ones also beside one that cannot be read', async () => {
      const [broken, sound] = [await erased(), await erased()];
      await drain();
      await connection
        .collection('attestations')
        .updateOne({ ws, srid: broken.srid }, { $set: { envelope: JSON.stringify({ payload: '' }) } });
      generations = { current: 5, gone: 4 };
      clock.advance(MINUTE_MS);
      const { seconds, counts } = process();
      while ((await seconds.runOnce()) > 0);
      expect(counts.metric.read()).toMatchObject([{}, { value: 1 }]);
      expect(statementOf(await read(sound, 2)).attestation.statement).toBe(2);
      await expect(read(broken, 2)).rejects.toMatchObject(isAbsent);
    });

    it('have one second each where the process dies between any two writes, and on an older copy of the database', async () => {
      const requests: RequestDocument[] = [];
      for (let writes = 0, died = true; died; writes += 1) {
        generations = { current: 10 + writes, gone: 9 + writes };
        requests.push(await erased());
        await drain();
        generations = { current: 11 + writes, gone: 10 + writes };
        died = await process(dyingConnection(connection, writes))
          .seconds.runOnce()
          .then(
            () => false,
            () => true,
          );
        clock.advance(MINUTE_MS);
        signer = signer.next();
        await drain(process().seconds);
        await expectOneEach(requests, 2);
      }
      const envelopes = async () => (await stored()).map(({ envelope }) => envelope).sort();
      const all = await envelopes();
      await connection.collection('attestations').deleteMany({});
      const after = process();
      await after.transparency.evidenceLeaves.readAgain();
      expect(await drain(after.seconds)).toBe(0);
      expect(await envelopes()).toEqual(all);
      // Another copy read the attestations before the second ones were made, and the leaves after that.
      const lost = requests.pop() as RequestDocument;
      const losing = await read(lost, 2);
      await connection.collection('attestations').deleteMany({ statement: 2 });
      await connection.collection('attestations').updateMany({}, { $set: { generation: 9, secondAt: clock.now() } });
      const last = process();
      await withoutRecords(log, lost.srid, () => drain(last.seconds));
      expect(await envelopes()).toEqual(all.filter((envelope) => envelope !== losing));
      await expectOneEach(requests, 2);
      expect(last.counts.metric.read()).toMatchObject([{}, { value: requests.length }]);
    });

    it('name no generation where there are none, and no second one follows', async () => {
      generations = undefined;
      const request = await erased();
      await drain();
      expect(statementOf(await read(request)).attestation.erasure).toEqual({ secondPass: true, backups: 'not-known' });
      expect(await process().seconds.runOnce()).toBe(0);
    });

    it('are bundled with the proof that the log holds them, once a checkpoint covers them', async () => {
      const request = await ended();
      await drain();
      const one = process();
      const bundle = () => one.answers.bundle(ws, request.srid, undefined);
      await expect(bundle()).rejects.toMatchObject(isAbsent);
      await one.transparency.evidenceLeaves.take(await records());
      await expect(bundle()).rejects.toMatchObject(isAbsent);
      await one.transparency.sequencer.runOnce();
      const parts = readBundle(JSON.parse(String(await bundle())));
      const checkpoint = await one.transparency.published.checkpoint();
      expect(parts).toMatchObject({ index: 0, inclusion: [], checkpoint });
      expect(String(parts?.envelope)).toBe(await read(request));
    });
  });
}

import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { DEFAULT_LEGAL_CALENDAR, evidenceLeaf, legalDueAt, requestKey, TOPICS, V2 } from '@opendsr-service/contracts';
import {
  EndedHere,
  openAttestations,
  openTransparencyLog,
  type RequestDocument,
} from '@opendsr-service/gateway/testing';
import type { LogRecord } from '@opendsr-service/messaging';
import { silentLogger, systemClock } from '@opendsr-service/service';
import { ensureSandboxCertificates, loadSigner } from '@opendsr-service/signing';
import { testSigner } from '@opendsr-service/transparency/testing';
import type { Place } from './place';

const SIGNATURES = 1_000;
const WARM_UP = 1_000;
const WS = 'bench';
const HOUR_MS = 3_600_000;
const calendar = { ...DEFAULT_LEGAL_CALENDAR, timeZone: 'Europe/Berlin' };
const LEAVES_OF_A_LIFE = 2;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An erasure whose last event has been applied. */
function endedErasure(): RequestDocument {
  const [srid, now] = [randomUUID(), new Date()];
  const report = { status: 'completed', at: now.toISOString() } as const;
  return {
    ...{ _id: requestKey(WS, srid), ws: WS, srid, controllerId: 'bench-shop', apiVersion: '2.0', type: 'erasure' },
    ...{ regulation: 'gdpr', status: 'completed', groupId: null, kid: randomUUID(), receipt: digestOf(srid) },
    ...{ submittedTime: now, receivedAt: now, expectedAt: now, legalSince: now, legalDueAt: now, dueBy: now },
    ...{ startedAt: now, completedAt: now, keyDueAt: now, keyDueSince: now, personsAt: now },
    // Due for other processes only later: this one attests what it has ended.
    attestAt: new Date(now.getTime() + HOUR_MS),
    ...{ sealed: { identities: randomBytes(300).toString('base64'), callbacks: [] }, openDestinations: [] },
    ...{
      extensions: [{ name: 'crm', domain: 'crm.example.com', status: 'sent', statusMessage: null }],
      outbox: [],
      seq: 3,
      v: 9,
      history: digestOf(srid),
    },
    reports: {
      crm: report,
      ingestion: { ...report, destroyed: { profiles: 1, batches: 12, keys: 1, tombstones: [randomUUID()] } },
      results: { ...report, destroyed: { archives: 0, keys: 0, tombstones: [] } },
    },
  };
}

/** What evidence costs for one erasure, in CPU milliseconds by part, with so many lives that end at once. */
export async function measureLife({ storage, events, folder, cpuOf }: Place, lives: number, page: number) {
  const connection = await storage.database('gateway');
  const requests = connection.collection<RequestDocument>('requests');
  const now = new Date();
  const { v2 } = await ensureSandboxCertificates(folder, { domainV2: 'dsr.localhost', domainV1: 'v1.localhost', now });
  const signer = await loadSigner({ ...v2, domain: 'dsr.localhost', now });
  const pseudonym = randomBytes(32).toString('base64url');
  const vault = {
    leafKey: createSecretKey(randomBytes(32)),
    index: () => Promise.resolve({ hash: () => pseudonym }),
    lastGeneration: () => Promise.resolve(4),
    isGenerationGone: () => Promise.resolve(false),
  };
  const shared = { connection, events, vault, clock: systemClock, log: silentLogger };
  const log = openTransparencyLog({ ...shared, logSigner: testSigner(), witnesses: [] });
  const here = new EndedHere();
  const signed = await signer.sign(randomBytes(32));
  // The signature is measured by itself: what it costs depends on the key.
  const versions = [{ version: V2, signer: { ...signer, sign: () => Promise.resolve(signed) } }];
  const { worker } = openAttestations({ ...shared, versions }, log, {
    ...{ admissions: { find: () => Promise.resolve(null) }, here },
  });

  /** The write that notes the persons of ended requests, with one field more or without it. */
  const note = (ended: readonly RequestDocument[], more: object) => () =>
    requests.bulkWrite(
      ended.map(({ _id, ws }) => ({
        updateOne: { filter: { _id, ws }, update: { $unset: { personsAt: 1, ...more } as never } },
      })),
      { ordered: false },
    );
  async function attest(count: number) {
    const cpu = { attestation: 0, persons: 0, personsAndMark: 0 };
    for (let done = 0; done < count; done += page) {
      const ended = Array.from({ length: page }, endedErasure);
      await requests.insertMany(ended);
      for (const { history = '', ...request } of ended) {
        here.add(request);
        worker.add({ ...request, history });
      }
      cpu.attestation += await cpuOf(() => worker.runOnce());
      here.takeFirst(page);
      if ((done / page) % 2 === 0) cpu.persons += await cpuOf(note(ended, {}));
      else cpu.personsAndMark += await cpuOf(note(ended, { attestAt: 1 }));
    }
    return { attestation: cpu.attestation / count, mark: (2 * (cpu.personsAndMark - cpu.persons)) / count };
  }
  async function receipts(count: number) {
    let cpu = 0;
    for (let done = 0; done < count; done += page) {
      const at = new Date().toISOString();
      const make = () =>
        evidenceLeaf(
          { ws: WS, kind: 'receipt', of: [randomUUID()], digest: digestOf(at), at, dueAt: at },
          vault.leafKey,
        );
      cpu += await cpuOf(() =>
        events.publisher.publish(TOPICS.evidenceLeaves.name, Array.from({ length: page }, make)),
      );
    }
    return cpu / count;
  }
  let position = {};
  async function taken() {
    const all: LogRecord[] = [];
    position = await events.read(
      TOPICS.evidenceLeaves.name,
      position,
      (some) => (all.push(...some), Promise.resolve()),
    );
    let cpu = 0;
    for (let n = 0; n < all.length; n += page)
      cpu += await cpuOf(() => log.evidenceLeaves.take(all.slice(n, n + page)));
    return (LEAVES_OF_A_LIFE * cpu) / all.length;
  }
  const signatures = async () => {
    for (let n = 0; n < SIGNATURES; n += 1) await signer.sign(randomBytes(32));
  };
  const clocks = () => {
    for (let n = 0; n < SIGNATURES; n += 1) legalDueAt('gdpr', new Date(now.getTime() + n * HOUR_MS), calendar);
    return Promise.resolve();
  };
  const parts = async (count: number) => ({
    clock: (await cpuOf(clocks)) / SIGNATURES,
    ...(await attest(count)),
    receiptLeaf: await receipts(count),
    leavesTaken: await taken(),
    checkpointOfAPage: await cpuOf(() => log.sequencer.runOnce()),
  });
  await parts(WARM_UP);
  const measured = await parts(lives);
  return {
    ...{ store: storage.kind, lives, endingAtOnce: page, rsaSignature: (await cpuOf(signatures)) / SIGNATURES },
    ...measured,
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog, type EventLog, type LogRecord } from '@opendsr-service/messaging';
import { ManualClock, silentLogger } from '@opendsr-service/service';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { isSignedBy, openCheckpoint, witnessVerifier, type Note } from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';
import type { Connection } from 'mongoose';
import { buildLitewitness, Litewitness } from '../testing/litewitness';
import { LeavesStore } from './leaves.store';
import { leafRecord, leafVault as vault } from '../testing/leaves';
import { openTransparencyLog } from './transparency-log.wiring';
import type { Witnessing } from './witnessing';

const folder = mkdtempSync(join(tmpdir(), 'litewitness-'));
// A build from nothing takes minutes, most of it for its SQLite.
const isFull = process.env['DSR_INT'] === 'full';
const isThere = isFull && buildLitewitness(folder);
if (isFull && !isThere) console.log('No go, no modules for it, or no ssh-agent: litewitness did not cosign the log.');

const signer = testSigner();
const HOUR_MS = 3_600_000;

(isThere ? describe : describe.skip)('a witness that is not ours', () => {
  let storage: Storage;
  let connection: Connection;
  let log: EventLog;
  let witness: Litewitness;
  let clock: ManualClock;
  let opened: ReturnType<typeof openTransparencyLog>;
  let leaves = 0;

  beforeAll(async () => {
    storage = await openStorage({ dataDir: folder });
    connection = await storage.database('gateway');
    log = await openLog({ embedded: { file: join(folder, 'log.db') } });
    await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    new LeavesStore(connection);
    await ensureIndexes(connection);
    witness = await Litewitness.start(folder, { ...signer.verifier, verifierKey: signer.verifierKey });
    clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    opened = openTransparencyLog({
      ...{ connection, events: log, vault, logSigner: signer, clock, log: silentLogger },
      witnesses: [{ verifier: witnessVerifier(witness.verifierKey), url: witness.url }],
    });
  });
  afterAll(async () => {
    await witness.stop();
    await log.close();
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  const advance = async (more: number) => {
    const fresh = Array.from({ length: more }, (_, n) => leafRecord(leaves + n));
    leaves += more;
    await log.publisher.publish(TOPICS.evidenceLeaves.name, fresh);
    const records: LogRecord[] = [];
    await log.read(TOPICS.evidenceLeaves.name, {}, (some) => (records.push(...some), Promise.resolve()));
    await opened.evidenceLeaves.take(records);
    await opened.sequencer.runOnce();
  };
  const offer = async () => (opened.witnessing[0] as Witnessing).runOnce();
  const isCosigned = async () => {
    const checkpoint = openCheckpoint((await opened.published.checkpoint()) ?? '', signer.verifier);
    return isSignedBy(checkpoint?.note as Note, witnessVerifier(witness.verifierKey));
  };

  it('cosigns the empty log, a growing log by its proofs, and an unchanged log again', async () => {
    await advance(0);
    expect([await offer(), await isCosigned(), witness.size]).toEqual([1, true, 0]);
    for (const more of [1, 299, 1, 700]) {
      await advance(more);
      expect([await isCosigned(), await offer(), await isCosigned(), witness.size]).toEqual([false, 1, true, leaves]);
    }
    clock.advance(HOUR_MS);
    expect([await offer(), await isCosigned(), witness.size]).toEqual([1, true, leaves]);
  });

  it('is offered a proof from the size that it names if the gateway lost the last cosigned size', async () => {
    await connection.collection('witnesses').deleteMany({});
    await advance(20);
    expect([await offer(), await isCosigned(), witness.size]).toEqual([1, true, leaves]);
  });

  it('does not cosign a log that does not continue the one that it saw', async () => {
    witness.sawAnother();
    const before = witness.size;
    await advance(5);
    expect([await offer(), await isCosigned(), witness.size]).toEqual([0, false, before]);
    expect(opened.witnessing[0]?.outcomes.get('refused')).toBe(1);
  });
});

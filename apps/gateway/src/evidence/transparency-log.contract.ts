import { checkpoints, TOPICS } from '@opendsr-service/contracts';
import type { EventLog, LogRecord } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock, silentLogger } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import {
  bundlePath,
  entriesOf,
  isIncluded,
  leafHash,
  openCheckpoint,
  StoredTree,
  tilePath,
  tilesOf,
  type Checkpoint,
} from '@opendsr-service/transparency';
import { isConsistent, testSigner } from '@opendsr-service/transparency/testing';
import type { Connection } from 'mongoose';
import { dyingConnection, Killed } from '../testing/dying-connection';
import { digestOf, LEAF_AT as AT, leafRecord as leaf, leafVault as vault } from '../testing/leaves';
import { openLoggedDatabase } from '../testing/logged-database';
import { LeavesStore } from './leaves.store';
import { openTransparencyLog } from './transparency-log.wiring';

const signer = testSigner();
const leaves = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => leaf(from + n));

/** The rules of the transparency log that hold on every store. */
export function transparencyLogContract(name: string, open: () => Promise<Storage>): void {
  describe(`the transparency log on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let close: () => Promise<void>;
    let log: EventLog;
    let publisher: SwitchedPublisher;
    let clock: ManualClock;
    let seen: Checkpoint[];

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());
    beforeEach(async () => {
      ({ connection, log, close } = await openLoggedDatabase(storage, 'log'));
      publisher = new SwitchedPublisher(log.publisher);
      clock = new ManualClock(new Date(AT));
      seen = [];
      new LeavesStore(connection);
      await ensureIndexes(connection);
    });
    afterEach(() => close());

    /** A process of its own, which knows nothing of what others have signed. */
    const process = (on: Connection = connection, key = signer, read: EventLog['read'] = log.read.bind(log)) => {
      const events = { read, publisher };
      return openTransparencyLog({
        ...{ connection: on, events, vault, logSigner: key, witnesses: [], clock },
        log: silentLogger,
      });
    };
    type Process = ReturnType<typeof process>;
    const add = (...records: ReturnType<typeof leaf>[]) => log.publisher.publish(TOPICS.evidenceLeaves.name, records);
    const records = async () => {
      const all: LogRecord[] = [];
      await log.read(TOPICS.evidenceLeaves.name, {}, (some) => (all.push(...some), Promise.resolve()));
      return all;
    };
    /** Takes what the log holds, signs it, and checks that it continues all that was signed before. */
    const advance = async (by: Process, count: number) => {
      await by.evidenceLeaves.take(await records());
      await by.sequencer.runOnce();
      const checkpoint = openCheckpoint((await by.published.checkpoint()) ?? '', signer.verifier);
      expect(checkpoint?.size).toBe(count);
      await expectOneHistory(by, checkpoint as Checkpoint);
    };
    const treeOf = ({ published }: Process, size: number) =>
      new StoredTree(size, {
        tile: async (tile) => (await published.tile(tilePath(tile).slice('tile/'.length))) ?? Buffer.alloc(0),
      });
    const expectOneHistory = async (by: Process, checkpoint: Checkpoint) => {
      const tree = treeOf(by, checkpoint.size);
      expect((await tree.root()).equals(checkpoint.root)).toBe(true);
      for (const before of [...seen, ...(await kept())].filter(({ size }) => size > 0)) {
        const proof = before.size > checkpoint.size ? [] : await tree.consistencyProof(before.size);
        expect([before.size, isConsistent(before, checkpoint, proof)]).toEqual([before.size, true]);
      }
      seen.push(checkpoint);
    };
    const keptRecords = async () => {
      const all: LogRecord[] = [];
      await log.read(TOPICS.checkpoints.name, {}, (some) => (all.push(...some), Promise.resolve()));
      return all as [LogRecord, ...LogRecord[]];
    };
    const kept = async () => {
      const all: Checkpoint[] = [];
      await log.read(TOPICS.checkpoints.name, {}, (some) => {
        all.push(...some.map((one) => openCheckpoint(checkpoints.decode(one).note, signer.verifier) as Checkpoint));
        return Promise.resolve();
      });
      return all;
    };
    const copyOf = async () => {
      const names = ['leaves', 'tiles', 'transparency'];
      const documents = await Promise.all(names.map((one) => connection.collection(one).find({}).toArray()));
      return async () => {
        for (const [n, one] of names.entries()) {
          await connection.collection(one).deleteMany({});
          if (documents[n]?.length) await connection.collection(one).insertMany(documents[n]);
        }
      };
    };

    it('wakes the sequencer by new leaves, and those who offer checkpoints by a new one', async () => {
      const one = process();
      const heard: string[] = [];
      one.signals.grown.subscribe(() => void heard.push('grown'));
      one.signals.signed.subscribe(() => void heard.push('signed'));
      await one.evidenceLeaves.take([]);
      await one.sequencer.runOnce();
      heard.length = 0;
      await add(leaf(1), leaf(2));
      await one.evidenceLeaves.take(await records());
      expect(heard).toEqual(['grown']);
      for (let n = 0; n < 2; n += 1) await one.sequencer.runOnce();
      expect(heard).toEqual(['grown', 'signed']);
    });

    it('signs the empty log, then all waiting leaves in one checkpoint, and nothing without new leaves', async () => {
      const one = process();
      await advance(one, 0);
      await add(...leaves(0, 300));
      await advance(one, 300);
      const notes = (await kept()).length;
      expect(await one.sequencer.runOnce()).toBe(0);
      expect((await kept()).length).toBe(notes);
    });

    it('proves the inclusion of each entry: kind, time, digest, and a pseudonym instead of the workspace', async () => {
      const one = process();
      await add(...leaves(0, 5), leaf('w', 'waiver'));
      await advance(one, 6);
      const bundle = await one.published.tile(bundlePath({ index: 0, width: 6 }).slice('tile/'.length));
      const entries = entriesOf(bundle as Buffer) as Buffer[];
      expect(JSON.parse(String(entries[5]))).toEqual({
        ...{ kind: 'waiver', at: AT, digest: digestOf('w') },
        workspace: digestOf('acme|transparency|acme'),
      });
      expect(String(bundle)).not.toContain('acme');
      const [head] = seen.slice(-1) as [Checkpoint];
      for (const [n, entry] of entries.entries())
        expect(isIncluded(leafHash(entry), n, await treeOf(one, 6).inclusionProof(n), head)).toBe(true);
    });

    it('appends a leaf once, also if its record is repeated', async () => {
      const one = process();
      await add(...leaves(0, 3), ...leaves(1, 2));
      await advance(one, 3);
      await one.evidenceLeaves.take(await records());
      await process().evidenceLeaves.take(await records());
      await add(...leaves(2, 5));
      await advance(one, 5);
    });

    it('keeps one order of leaves if two processes take in the same records at once', async () => {
      await add(...leaves(0, 400));
      const all = await records();
      const both = [process(), process()];
      await Promise.all(both.map(({ evidenceLeaves }) => evidenceLeaves.take(all)));
      await advance(both[0] as Process, 400);
      const bundle = await both[1]?.published.tile('entries/000');
      const digests = entriesOf(bundle as Buffer)?.map(
        (entry) => (JSON.parse(String(entry)) as { digest: string }).digest,
      );
      expect(digests).toEqual(Array.from({ length: 256 }, (_, n) => digestOf(String(n))));
    });

    it('is signed by one process at a time, and by another when the lease of a dead one is over', async () => {
      const [one, other] = [process(), process()];
      await advance(one, 0);
      await add(...leaves(0, 2));
      await one.evidenceLeaves.take(await records());
      await connection
        .collection('transparency')
        .updateOne({}, { $set: { token: 'dead', dueAt: new Date(clock.now().getTime() + 60_000) } });
      expect(await other.sequencer.runOnce()).toBe(0);
      clock.advance(60_000);
      await advance(other, 2);
    });

    it('serves no tile and no bundle beyond the checkpoint', async () => {
      const one = process();
      await add(...leaves(0, 300));
      await advance(one, 300);
      await add(...leaves(300, 600));
      await one.evidenceLeaves.take(await records());
      const has = async (path: string) => (await one.published.tile(path)) !== undefined;
      for (const path of ['0/001.p/44', 'entries/001.p/44', '0/000', '1/000.p/1'])
        expect([path, await has(path)]).toEqual([path, true]);
      for (const path of ['0/001.p/45', 'entries/001', '0/001', '1/000.p/2', '0/002.p/1', '2/000.p/1', 'x', ''])
        expect([path, await has(path)]).toEqual([path, false]);
    });

    it('neither loses nor repeats a leaf if the process dies between any two writes', async () => {
      await advance(process(), 0);
      let size = 0;
      for (let deaths = 0, writes = 0; ; writes += WRITES_BETWEEN_DEATHS) {
        await add(...leaves(size, size + 130));
        const mortal = process(dyingConnection(connection, writes));
        const died = await mortal.evidenceLeaves
          .take(await records())
          .then(() => mortal.sequencer.runOnce())
          .then(
            () => false,
            (error: unknown) => {
              if (error instanceof Killed) return true;
              throw error;
            },
          );
        deaths += died ? 1 : 0;
        clock.advance(60_000);
        size += 130;
        await advance(process(), size);
        if (!died) {
          expect(deaths).toBeGreaterThanOrEqual(5 / WRITES_BETWEEN_DEATHS);
          return;
        }
      }
    });

    it('signs the same checkpoint again after a crash behind its publication', async () => {
      const one = process();
      await add(...leaves(0, 10));
      await advance(one, 10);
      await add(...leaves(10, 20));
      publisher.slow = true;
      await expect(advance(one, 20)).rejects.toThrow();
      publisher.slow = false;
      await advance(process(), 20);
      const bySize = Map.groupBy(await kept(), (checkpoint) => checkpoint.size);
      expect([...bySize.values()].map((same) => new Set(same.map(({ root }) => root.toString('hex'))).size)).toEqual(
        [...bySize.values()].map(() => 1),
      );
    });

    it('completes an older copy of the database from the event log before it signs', async () => {
      const one = process();
      await add(...leaves(0, 200));
      await advance(one, 200);
      const putBack = await copyOf();
      await add(...leaves(200, 700));
      await advance(one, 700);
      await putBack();
      const after = process();
      // The group has read the topic: only what is new comes.
      await add(leaf('next'));
      await after.evidenceLeaves.take((await records()).slice(-1));
      await after.sequencer.runOnce();
      const checkpoint = openCheckpoint((await after.published.checkpoint()) ?? '', signer.verifier);
      expect(checkpoint?.size).toBe(701);
      await expectOneHistory(after, checkpoint as Checkpoint);
    });

    it('detects an older copy of the database that is restored while it runs', async () => {
      const one = process();
      await add(...leaves(0, 5));
      await advance(one, 5);
      const putBack = await copyOf();
      await add(...leaves(5, 9));
      await advance(one, 9);
      await putBack();
      await one.sequencer.runOnce();
      await advance(one, 9);
    });

    it('rebuilds tiles that do not match the leaves of a restored copy', async () => {
      const one = process();
      await add(...leaves(0, 300));
      await advance(one, 300);
      await connection.collection('tiles').deleteMany({ index: 1 });
      await connection.collection('tiles').updateOne({ level: 1 }, { $set: { hashes: '' } });
      await add(...leaves(300, 301));
      await advance(process(), 301);
    });

    it('rebuilds tiles that change while it runs, before it signs what follows from them', async () => {
      const one = process();
      await add(...leaves(0, 300));
      await advance(one, 300);
      await connection.collection('tiles').updateOne({ level: 0, index: 1 }, { $set: { hashes: '' } });
      await add(...leaves(300, 301));
      await advance(one, 301);
      const [tile] = await connection.collection('tiles').find({ level: 1 }).toArray();
      const hashes = Buffer.from(String(tile?.hashes), 'base64').reverse().toString('base64');
      await connection.collection('tiles').updateOne({ level: 1 }, { $set: { hashes } });
      await add(...leaves(301, 302));
      // Who reads now keeps the wrong tile.
      const changed = await treeOf(one, 301).root();
      await one.evidenceLeaves.take(await records());
      await one.sequencer.runOnce();
      clock.advance(60_001);
      const checkpoint = openCheckpoint((await one.published.checkpoint()) ?? '', signer.verifier) as Checkpoint;
      expect([checkpoint.size, checkpoint.root.equals(changed)]).toEqual([302, false]);
      await expectOneHistory(one, checkpoint);
    });

    it('takes over from another process two seconds after it signed, and reads each of its checkpoints once', async () => {
      let handed = 0;
      const read_ = log.read.bind(log);
      log.read = (topic, from, take, options) =>
        read_(
          topic,
          from,
          (some) => ((handed += topic === TOPICS.checkpoints.name ? some.length : 0), take(some)),
          options,
        );
      const [one, other] = [process(), process()];
      const turns = 12;
      for (let n = 0; n < turns; n += 1) {
        const by = n % 2 === 0 ? one : other;
        await add(leaf(n));
        await by.evidenceLeaves.take(await records());
        clock.advance(1_999);
        for (const leftForMs of n >= 2 ? [1, undefined] : []) {
          publisher.away = leftForMs === undefined;
          expect([await by.sequencer.runOnce(), by.sequencer.leftForMs]).toEqual([0, leftForMs]);
        }
        publisher.away = false;
        clock.advance(1);
        expect(await by.sequencer.runOnce()).toBe(1);
      }
      // Both have read all that was signed before their own last turn.
      expect(handed).toBe(turns - 1 + (turns - 2));
      const claimed = jest.spyOn(connection.collection('transparency'), 'updateOne');
      expect([await one.sequencer.runOnce(), await other.sequencer.runOnce()]).toEqual([0, 0]);
      expect(claimed).not.toHaveBeenCalled();
      claimed.mockRestore();
      log.read = read_;
    });

    it('signs at once after a process whose clock was ahead', async () => {
      await add(leaf(1));
      clock.advance(600_000);
      await advance(process(), 1);
      clock.advance(-600_000);
      await add(leaf(2));
      await advance(process(), 2);
    });

    it('keeps its claim while it rebuilds for longer than a lease, so that no other process removes its tiles', async () => {
      await add(...leaves(0, 3_000));
      await advance(process(), 3_000);
      await connection.collection('tiles').deleteMany({});
      await add(leaf('next'));
      const [one, other] = [process(), process()];
      const signedByOther: number[] = [];
      const entries: LeavesStore['entries'] = Reflect.get(LeavesStore.prototype, 'entries');
      const reading = jest.spyOn(LeavesStore.prototype, 'entries');
      let isOne = true;
      reading.mockImplementation(async function (this: LeavesStore, ...range) {
        if (isOne) {
          clock.advance(25_000);
          isOne = false;
          signedByOther.push(await other.sequencer.runOnce());
          isOne = true;
        }
        return entries.apply(this, range);
      });
      try {
        await advance(one, 3_001);
      } finally {
        reading.mockRestore();
      }
      expect(signedByOther.length).toBeGreaterThan(2);
      expect(new Set(signedByOther)).toEqual(new Set([0]));
    });

    it('refuses to sign as forked if a leaf of the newest checkpoint was changed', async () => {
      await add(...leaves(0, 20));
      await advance(process(), 20);
      await connection.collection('leaves').updateOne({ index: 7 }, { $set: { entry: '{}' } });
      await connection.collection('tiles').deleteMany({});
      await add(leaf('next'));
      const after = process();
      await after.evidenceLeaves.take(await records());
      await expect(after.sequencer.runOnce()).rejects.toMatchObject({ name: 'LogRefused', reason: 'forked' });
      expect(after.sequencer.refused?.reason).toBe('forked');
      expect((await kept()).at(-1)?.size).toBe(20);
    });

    it('refuses to sign if neither the database nor the event log has the leaves of the newest checkpoint', async () => {
      const one = process();
      await add(...leaves(0, 20));
      await advance(one, 20);
      const putBack = await copyOf();
      await advance(one, 20);
      const later = openTransparencyLog({
        ...{ connection, vault, logSigner: signer, witnesses: [], clock, log: silentLogger },
        events: {
          publisher,
          read: (topic, from, handle) =>
            topic === TOPICS.evidenceLeaves.name ? Promise.resolve({}) : log.read(topic, from, handle),
        },
      });
      await putBack();
      await connection.collection('leaves').deleteMany({ index: { $gte: 15 } });
      await expect(later.sequencer.runOnce()).rejects.toMatchObject({ reason: 'behind' });
      await later.evidenceLeaves.readAgain();
      // What was lost comes back with the topic.
      const healed = process();
      await healed.evidenceLeaves.readAgain();
      await add(leaf('next'));
      await advance(healed, 21);
      expect(healed.sequencer.refused).toBeUndefined();
    });

    it('skips a type on the topic of checkpoints that a later version added', async () => {
      await add(...leaves(0, 4));
      await advance(process(), 4);
      const [signed] = await keptRecords();
      const headers = { ...signed.headers, ce_type: 'org.opendsr-service.CheckpointWithdrawn.v1' };
      await log.publisher.publish(TOPICS.checkpoints.name, [{ ...signed, headers }]);
      await add(leaf('next'));
      const after = process();
      await after.evidenceLeaves.take(await records());
      expect(await after.sequencer.runOnce()).toBe(1);
      expect(after.sequencer.refused).toBeUndefined();
    });

    it('refuses to sign as unreadable if a record on the topic of checkpoints is malformed', async () => {
      await add(...leaves(0, 4));
      await advance(process(), 4);
      const [signed] = await keptRecords();
      await log.publisher.publish(TOPICS.checkpoints.name, [{ ...signed, value: '{}' }]);
      const after = process();
      await expect(after.sequencer.runOnce()).rejects.toMatchObject({ name: 'LogRefused', reason: 'unreadable' });
      expect(after.sequencer.refused?.reason).toBe('unreadable');
    });

    it('continues with a replacement log key, and stays bound to checkpoints of the old one', async () => {
      await add(...leaves(0, 4));
      await advance(process(), 4);
      const renewed = testSigner(signer.name, 9);
      const after = process(connection, renewed);
      await add(...leaves(4, 6));
      await after.evidenceLeaves.take(await records());
      await after.sequencer.runOnce();
      expect(openCheckpoint((await after.published.checkpoint()) ?? '', renewed.verifier)?.size).toBe(6);
      await connection.collection('leaves').updateOne({ index: 0 }, { $set: { entry: '{}' } });
      await connection.collection('tiles').deleteMany({});
      await expect(process(connection, testSigner(signer.name, 10)).sequencer.runOnce()).rejects.toMatchObject({
        reason: 'forked',
      });
    });

    it('signs the newest checkpoint again with a replacement log key, though no leaf comes, and once', async () => {
      await add(...leaves(0, 4));
      const before = process();
      await advance(before, 4);
      const putBack = await copyOf();
      const renewed = testSigner(signer.name, 9);
      const after = process(connection, renewed);
      const sizeBy = async (key: typeof signer) =>
        openCheckpoint((await after.published.checkpoint()) ?? '', key.verifier)?.size;
      const heard: string[] = [];
      after.signals.signed.subscribe(() => void heard.push('signed'));
      expect(await after.sequencer.runOnce()).toBe(0);
      expect([await sizeBy(renewed), heard]).toEqual([4, ['signed']]);
      for (const next of [before, after, process(connection, renewed)]) await next.sequencer.runOnce();
      // Its process ended before it was published.
      await putBack();
      await process(connection, renewed).sequencer.runOnce();
      expect([await sizeBy(renewed), (await keptRecords()).length]).toEqual([4, 2]);
      // A process that still has the old key is the last to sign.
      await add(leaf('next'));
      await before.evidenceLeaves.take(await records());
      await before.sequencer.runOnce();
      expect(await sizeBy(signer)).toBe(5);
      for (const next of [after, before, after]) await next.sequencer.runOnce();
      expect([await sizeBy(renewed), (await keptRecords()).length]).toEqual([5, 4]);
    });

    it('replaces the checkpoint of another log key once, where the log does not show which key is older', async () => {
      await advance(process(), 0);
      const renewed = process(connection, testSigner(signer.name, 9));
      const compacted: typeof log.read = (topic, from, to) => log.read(topic, from, (some) => to(some.slice(-1)));
      const old = process(connection, signer, compacted);
      for (let n = 0; n < 4; n += 1) for (const next of [renewed, old]) await next.sequencer.runOnce();
      expect(await keptRecords()).toHaveLength(3);
    });

    it('covers every tile that the tree has', async () => {
      const one = process();
      await add(...leaves(0, 520));
      await advance(one, 520);
      for (const tile of tilesOf(520))
        expect((await one.published.tile(tilePath(tile).slice('tile/'.length)))?.length).toBe(32 * tile.width);
    });
  });
}

import type { ServerResponse } from 'node:http';
import { leafId, TOPICS } from '@opendsr-service/contracts';
import type { EventLog, LogRecord } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { createLogger, ManualClock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import {
  isSignedBy,
  openCheckpoint,
  readNote,
  signatureBy,
  signatureLine,
  type Note,
} from '@opendsr-service/transparency';
import { testSigner, WitnessDouble } from '@opendsr-service/transparency/testing';
import type { Connection } from 'mongoose';
import { dyingConnection, Killed } from '../testing/dying-connection';
import { LEAF_AT as AT, leafRecord, leafVault as vault } from '../testing/leaves';
import { openLoggedDatabase } from '../testing/logged-database';
import { LeavesStore } from './leaves.store';
import { openTransparencyLog } from './transparency-log.wiring';
import { witnessId } from './witness-id';
import { WitnessesStore } from './witnesses.store';
import type { Witnessing, WitnessOutcome } from './witnessing';

const signer = testSigner();
const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;

/** The rules of witnesses that hold on every store. */
export function witnessingContract(name: string, open: () => Promise<Storage>): void {
  describe(`witnesses of the transparency log on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let close: () => Promise<void>;
    let log: EventLog;
    let clock: ManualClock;
    let witness: WitnessDouble;
    let other: WitnessDouble;
    let lines: string[];
    let leaves: number;

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());
    beforeEach(async () => {
      ({ connection, log, close } = await openLoggedDatabase(storage, 'wit'));
      clock = new ManualClock(new Date(AT));
      witness = await WitnessDouble.start(signer.verifier);
      other = await WitnessDouble.start(signer.verifier, 'other.example/w2', 4);
      [lines, leaves] = [[], 0];
      new LeavesStore(connection);
      await ensureIndexes(connection);
    });
    afterEach(async () => {
      await witness.leave();
      await other.leave();
      await close();
    });

    const gateway = (on: Connection = connection, witnesses: readonly WitnessDouble[] = [witness, other]) =>
      openTransparencyLog({
        connection: on,
        events: log,
        vault,
        logSigner: signer,
        witnesses: witnesses.map(({ signer: { verifier }, url }) => ({ verifier, url })),
        clock,
        log: createLogger('test', 'info', { write: (line) => void lines.push(line) }),
      });
    type Gateway = ReturnType<typeof gateway>;
    const [first, second] = [
      ({ witnessing }: Gateway) => witnessing[0] as Witnessing,
      ({ witnessing }: Gateway) => witnessing[1] as Witnessing,
    ];
    /** Signs a checkpoint over so many more leaves. */
    const advance = async ({ evidenceLeaves, sequencer }: Gateway, more: number) => {
      const fresh = Array.from({ length: more }, (_, n) => leafRecord(leaves + n));
      leaves += more;
      await log.publisher.publish(TOPICS.evidenceLeaves.name, fresh);
      const records: LogRecord[] = [];
      await log.read(TOPICS.evidenceLeaves.name, {}, (some) => (records.push(...some), Promise.resolve()));
      await evidenceLeaves.take(records);
      await sequencer.runOnce();
    };
    /** The size of the served checkpoint, and who has cosigned it. Throws unless the log has signed it. */
    const served = async ({ published }: Gateway) => {
      const opened = openCheckpoint((await published.checkpoint()) ?? '', signer.verifier);
      const by = [witness, other].filter((one) => isSignedBy(opened?.note as Note, one.signer.verifier));
      return [opened?.size, by.map((one) => one.signer.name)];
    };
    const documentOf = (one: WitnessDouble) => new WitnessesStore(connection).find(witnessId(one.signer.verifier));
    const offered = ({ outcomes }: Witnessing) =>
      Object.fromEntries([...outcomes].filter(([, count]) => count > 0)) as Partial<Record<WitnessOutcome, number>>;

    it('cosign each new checkpoint, whose signed text stays the same', async () => {
      const one = gateway();
      await advance(one, 3);
      const before = readNote((await one.published.checkpoint()) ?? '');
      expect(await served(one)).toEqual([3, []]);
      expect(await Promise.all(one.witnessing.map((each) => each.runOnce()))).toEqual([1, 1]);
      expect(await served(one)).toEqual([3, ['witness.example/w1', 'other.example/w2']]);
      const after = readNote((await one.published.checkpoint()) ?? '');
      expect([after?.text, after?.signatures[0]]).toEqual([before?.text, before?.signatures[0]]);
      await advance(one, 300);
      expect(await served(one)).toEqual([303, []]);
      await Promise.all(one.witnessing.map((each) => each.runOnce()));
      expect(await served(one)).toEqual([303, ['witness.example/w1', 'other.example/w2']]);
      expect(witness.offers).toEqual([0, 3]);
      expect(await first(one).runOnce()).toBe(0);
      expect(witness.offers.length).toBe(2);
    });

    it('delay neither the log nor each other: others sign, serve and cosign while one witness hangs', async () => {
      const one = gateway();
      await advance(one, 1);
      witness.fault = 'hangs';
      let isOver = false;
      const hanging = first(one)
        .runOnce()
        .then((count) => ((isOver = true), count));
      await until(() => witness.offers.length === 1);
      await advance(one, 1);
      await second(one).runOnce();
      expect([await served(one), isOver]).toEqual([[2, ['other.example/w2']], false]);
      await witness.leave();
      expect([await hanging, offered(first(one))]).toEqual([0, { away: 1 }]);
    });

    const foreign = testSigner('witness.example/w1', 9);
    it.each<[string, WitnessDouble['fault'], WitnessOutcome]>([
      ['closes the connection', 'closes', 'away'],
      ['does not know the log', 404, 'refused'],
      ['does not accept its key', 403, 'refused'],
      ['fails', 500, 'refused'],
      ['leads elsewhere', 302, 'away'],
      ['accepts no proof', 422, 'refused'],
      ['says that it has another log of this size', 409, 'conflict'],
      ['answers with no signature', (answer) => answer.end('thanks\n'), 'invalid'],
      ['answers nothing', (answer) => answer.end(), 'invalid'],
      [
        'signs with another key',
        (answer, { text }) => answer.end(signatureLine({ ...signatureBy(foreign, text) })),
        'invalid',
      ],
      ['answers without an end', flood, 'invalid'],
    ])('are offered the newest checkpoint again after growing gaps if one %s', async (_what, fault, outcome) => {
      const one = gateway();
      await advance(one, 1);
      witness.fault = fault;
      await first(one).runOnce();
      expect([await served(one), offered(first(one))]).toEqual([[1, []], { [outcome]: 1 }]);
      await first(one).runOnce();
      expect(witness.offers.length).toBe(1);
      clock.advance(1_000);
      await first(one).runOnce();
      clock.advance(1_999);
      await first(one).runOnce();
      expect(witness.offers.length).toBe(2);
      await advance(one, 1);
      witness.fault = undefined;
      clock.advance(1);
      await first(one).runOnce();
      expect(await served(one)).toEqual([2, ['witness.example/w1']]);
      expect(offered(first(one))).toEqual({ [outcome]: 2, cosigned: 1 });
      // A line when it begins, and one when it is over: no more.
      expect(lines.map((line) => (JSON.parse(line) as { msg: string; reason?: string }).reason)).toEqual([
        outcome,
        undefined,
      ]);
    });

    it('get the next offer after at most a minute, also after a long absence', async () => {
      const one = gateway();
      await advance(one, 1);
      await witness.leave();
      for (let tries = 0; tries < 12; tries++) {
        await first(one).runOnce();
        clock.advance(60_000);
      }
      expect(offered(first(one))).toEqual({ away: 12 });
      expect(lines.length).toBe(1);
      await witness.return();
      await first(one).runOnce();
      expect(await served(one)).toEqual([1, ['witness.example/w1']]);
    });

    it('get each new checkpoint at once, however long the gap after the last one is', async () => {
      const one = gateway();
      await advance(one, 1);
      witness.fault = 500;
      for (let tries = 0; tries < 12; tries++) {
        await first(one).runOnce();
        clock.advance(60_000);
      }
      await first(one).runOnce();
      await advance(one, 1);
      await first(one).runOnce();
      await first(one).runOnce();
      expect(offered(first(one))).toEqual({ refused: 14 });
      witness.fault = undefined;
      await advance(one, 1);
      await first(one).runOnce();
      expect(await served(one)).toEqual([3, ['witness.example/w1']]);
    });

    it('are offered a proof from the size that they name if it differs from the known one', async () => {
      const one = gateway();
      await advance(one, 5);
      await first(one).runOnce();
      await connection.collection('witnesses').deleteMany({});
      await advance(one, 7);
      await first(one).runOnce();
      expect([await served(one), witness.offers]).toEqual([
        [12, ['witness.example/w1']],
        [0, 0, 5],
      ]);
    });

    it('do not cosign a log that is smaller than the one they saw, and get no second offer', async () => {
      const one = gateway();
      await advance(one, 5);
      witness.seen = { size: 9, root: Buffer.alloc(32, 1) };
      await first(one).runOnce();
      expect([await served(one), offered(first(one)), witness.offers]).toEqual([[5, []], { conflict: 1 }, [0]]);
    });

    it('keep their last cosigned checkpoint if they do not cosign the newest one', async () => {
      const one = gateway();
      await advance(one, 4);
      const cosigned = await Promise.all(one.witnessing.map((each) => each.runOnce()));
      expect(cosigned).toEqual([1, 1]);
      await witness.leave();
      await advance(one, 4);
      await Promise.all(one.witnessing.map((each) => each.runOnce()));
      expect(await served(one)).toEqual([8, ['other.example/w2']]);
      const { size, note = '', cosignature = '' } = (await documentOf(witness)) ?? {};
      expect([size, isSignedBy(readNote(`${note}${cosignature}`) as Note, witness.signer.verifier)]).toEqual([4, true]);
    });

    it('stand below the checkpoint that proves a leaf, as many as possible, while they are configured', async () => {
      const one = gateway();
      await advance(one, 3);
      await Promise.all(one.witnessing.map((each) => each.runOnce()));
      const cosigned = await one.published.checkpoint();
      await advance(one, 2);
      const proofOf = async ({ published }: Gateway, leaf: number) =>
        (await published.inclusionOf(leafId({ ws: 'acme', kind: 'receipt', of: [leaf] })))?.checkpoint;
      expect([await proofOf(one, 0), await proofOf(one, 4)]).toEqual([cosigned, await one.published.checkpoint()]);
      await first(one).runOnce();
      expect(await served(one)).toEqual([5, ['witness.example/w1']]);
      expect(await proofOf(one, 0)).toBe(await one.published.checkpoint());
      await second(one).runOnce();
      expect(await served(one)).toEqual([5, ['witness.example/w1', 'other.example/w2']]);
      const without = gateway(connection, [witness]);
      expect([await proofOf(without, 0), await served(without)]).toEqual([
        await without.published.checkpoint(),
        [5, ['witness.example/w1']],
      ]);
    });

    it('get an offer of an unchanged log again each hour', async () => {
      const one = gateway();
      await advance(one, 4);
      await first(one).runOnce();
      clock.advance(HOUR_MS - 1);
      expect(await first(one).runOnce()).toBe(0);
      witness.seconds += 3_600n;
      clock.advance(1);
      expect([await first(one).runOnce(), witness.offers]).toEqual([1, [0, 4]]);
      expect(await served(one)).toEqual([4, ['witness.example/w1']]);
      expect((await documentOf(witness))?.since).toEqual(clock.now());
    });

    it('get offers from one gateway at a time, and from another when the lease of a dead one is over', async () => {
      const both = [gateway(), gateway()];
      await advance(both[0] as Gateway, 2);
      const counts = await Promise.all(both.map((each) => first(each).runOnce()));
      expect([counts.sort(), witness.offers]).toEqual([[0, 1], [0]]);
      await advance(both[0] as Gateway, 2);
      await connection
        .collection('witnesses')
        .updateOne({}, { $set: { token: 'dead', dueAt: new Date(clock.now().getTime() + LEASE_MS) } });
      expect(await first(both[1] as Gateway).runOnce()).toBe(0);
      clock.advance(LEASE_MS);
      expect(await first(both[1] as Gateway).runOnce()).toBe(1);
      expect(await served(both[0] as Gateway)).toEqual([4, ['witness.example/w1']]);
    });

    it('cosign the newest checkpoint in the end if the process dies between any two writes', async () => {
      for (let deaths = 0, writes = 0, size = 0; ; writes += 1) {
        size += 130;
        await advance(gateway(), 130);
        const died = await first(gateway(dyingConnection(connection, writes)))
          .runOnce()
          .then(
            () => false,
            (error: unknown) => {
              if (error instanceof Killed) return true;
              throw error;
            },
          );
        deaths += died ? 1 : 0;
        clock.advance(LEASE_MS);
        await first(gateway()).runOnce();
        expect(await served(gateway())).toEqual([size, ['witness.example/w1']]);
        if (!died) return expect(deaths).toBe(2);
      }
    });
  });
}

/** An answer that never ends. */
function flood(answer: ServerResponse): void {
  const write = (): void => {
    if (!answer.destroyed) answer.write('x'.repeat(4_096), () => setImmediate(write));
  };
  write();
}

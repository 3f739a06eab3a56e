import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestKey } from '@opendsr-service/contracts';
import { Service, type World } from '@opendsr-service/gateway/testing';
import { itInFull, representative } from '@opendsr-service/storage/testing';
import { checkpointText, signNote, tilesOf, writeNote } from '@opendsr-service/transparency';
import { MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import type { Collection } from 'mongoose';
import { say } from '../testing/say';
import { transparencyAudit } from './transparency-audit.command';

/** A gateway's stores, and the settings by which the command line finds them. */
export interface Installation {
  readonly world: World;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const signer = testSigner();
const AT = new Date('2026-01-05T10:00:00Z');
/** More than a bundle of entries: the gateway keeps the first one in memory. */
const SIZE = 300;
const START_MS = 120_000;

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const entry = (n: number | string) =>
  JSON.stringify({ kind: 'receipt', at: AT, digest: digestOf(String(n)), dueAt: AT });
const entries = (count: number) => Array.from({ length: count }, (_, n) => entry(n));

/** An attacker with the database, and even the key of the log, against the audit of what the gateway serves. */
export function tamperingContract(name: string, open: () => Promise<Installation>): void {
  describe(`a transparency log that was tampered with, on ${name},`, () => {
    let installation: Installation;
    let service: Service;
    let folder: string;

    beforeAll(async () => {
      installation = await open();
    }, START_MS);
    afterAll(() => installation.close());
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tampering-'));
      await put(entries(SIZE));
      await gateway('requests').deleteMany({});
      await gateway('requests').insertMany(
        Array.from({ length: SIZE }, (_, n) => ({
          ...{ _id: requestKey('acme', String(n)), ws: 'acme', srid: String(n), receipt: digestOf(String(n)) },
          ...{ receivedAt: AT, expectedAt: AT, startAt: AT, status: 'pending', fingerprint: String(n) },
        })),
      );
      await start();
      expect(await audit()).toEqual([0, [], [], []]);
    }, START_MS);
    afterEach(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    async function start(): Promise<void> {
      // Who tampers has stopped the sequencer, which would refuse, or bring the log forward.
      const settings = { CHECKPOINT_POLL_MS: '1h', RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '0' };
      service = await Service.start(installation.world, settings);
    }

    const gateway = (collection: string): Collection<{ _id: string }> =>
      installation.world.parts.connection.collection<{ _id: string }>(collection);

    /** Exit code, faults, and the compared documents of the operator's audit of the served log and its stores. */
    async function whole() {
      const line = `transparency audit --state ${folder}/seen --url http://127.0.0.1:${service.port} --key ${signer.verifierKey} --json`;
      const { code, out } = await say(line, { commands: [transparencyAudit], env: installation.env });
      const { faults, missing = [], added = [], changed } = JSON.parse(out[0] ?? '{}') as Record<string, unknown>;
      return { found: [code, faults, missing, added], changes: [code, changed] };
    }
    const audit = async () => (await whole()).found;
    const changes = async () => (await whole()).changes;

    /** Writes a whole log over the one that is there, and signs it. */
    async function put(log: readonly string[]): Promise<void> {
      for (const collection of ['leaves', 'tiles']) await gateway(collection).deleteMany({});
      await gateway('leaves').insertMany(
        log.map((text, index) => ({ _id: `leaf-${index}`, index, entry: text, offset: '0', addedAt: AT })),
      );
      const tiles = new MemoryTiles();
      await tiles.append(log.map((text) => Buffer.from(text)));
      const documents = tilesOf(log.length).map(async (tile) => {
        const hashes = (await tiles.tile(tile)).toString('base64');
        return { _id: `${tile.level}/${tile.index}`, ...tile, hashes };
      });
      await gateway('tiles').insertMany(await Promise.all(documents));
      const text = checkpointText({ origin: signer.name, size: log.length, root: await tiles.tree().root() });
      const head = { size: log.length, note: writeNote(signNote(text, signer)), dueAt: AT };
      await gateway('transparency').replaceOne({ _id: 'log' }, head, { upsert: true });
    }
    /** The same under a new gateway: one that runs still has tiles of the other history, which give the fork away as well. */
    async function fork(log: readonly string[]): Promise<void> {
      await service.stop();
      await put(log);
      await start();
    }
    const tamper = (index: number, text: string) => gateway('leaves').updateOne({ index }, { $set: { entry: text } });

    it('is found out if a leaf was changed below its checkpoint', async () => {
      await tamper(280, entry('other'));
      expect(await audit()).toEqual([1, ['changed', 'forked', 'tiles-differ'], [], []]);
    });

    itInFull('is found out if leaves changed their places', async () => {
      await tamper(280, entry(281));
      await tamper(281, entry(280));
      expect(await audit()).toEqual([1, ['changed', 'forked', 'tiles-differ'], [], []]);
    });

    itInFull('is found out if a leaf was removed and the others moved up, or was only taken away', async () => {
      for (let index = 280; index < SIZE - 1; index++) await tamper(index, entry(index + 1));
      await tamper(SIZE - 1, entry('new'));
      expect(await audit()).toEqual([1, ['changed', 'forked', 'tiles-differ'], [], []]);
      await gateway('leaves').deleteOne({ index: 290 });
      expect((await audit())[0]).toBe(1);
    });

    const forks: readonly (readonly [string, readonly string[]])[] = [
      ['changed', entries(SIZE).with(270, entry('other'))],
      ['removed', [...entries(SIZE).toSpliced(270, 1), entry('new')]],
      ['added', entries(SIZE).toSpliced(270, 0, entry('new'))],
      ['moved', entries(SIZE).with(270, entry(271)).with(271, entry(270))],
    ];
    it.each(representative(forks, 4))(
      'is found out if a leaf was %s and all was signed again: a fork',
      async (_what, log) => {
        await fork(log);
        expect(await audit()).toEqual([1, ['forked'], [], []]);
      },
    );

    itInFull('is found out if it was rolled back with a database, also once it has grown again', async () => {
      await put(entries(SIZE - 30));
      expect(await audit()).toEqual([1, ['rolled-back'], [], []]);
      await fork([...entries(SIZE - 30), ...Array.from({ length: 60 }, (_, n) => entry(`new ${n}`))]);
      expect(await audit()).toEqual([1, ['forked'], [], []]);
    });

    itInFull('is found out if a leaf was added at its end that no document has', async () => {
      await put([...entries(SIZE), entry('invented')]);
      expect(await audit()).toEqual([1, [], [], [SIZE]]);
    });

    itInFull('shows that the date of a request was moved, so that it does not look late', async () => {
      const legalDueAt = new Date('2100-01-01T00:00:00Z');
      await gateway('requests').updateOne({ _id: requestKey('acme', '8') }, { $set: { legalDueAt } });
      expect(await changes()).toEqual([1, [`receipt of ${requestKey('acme', '8')}: its leaf says another date`]]);
    });

    itInFull('shows that the envelope of an attestation was exchanged, whatever digest stands beside it', async () => {
      const _id = requestKey('acme', '8');
      const attested = { kind: 'attestation', at: AT, digest: digestOf('envelope') };
      await gateway('attestations').insertOne({
        ...{ _id, ws: 'acme', srid: '8', envelope: 'envelope', digest: attested.digest, at: AT },
      });
      await put([...entries(SIZE), JSON.stringify(attested)]);
      expect(await audit()).toEqual([0, [], [], []]);
      await gateway('attestations').updateOne({ _id }, { $set: { envelope: 'another' } });
      expect(await audit()).toEqual([1, [], [`attestation of ${_id}`], [SIZE]]);
      await gateway('attestations').deleteMany({});
    });

    it('shows a document that was removed, and one that was changed', async () => {
      await gateway('requests').deleteOne({ _id: requestKey('acme', '7') });
      await gateway('requests').updateOne({ _id: requestKey('acme', '8') }, { $set: { receipt: digestOf('other') } });
      expect(await audit()).toEqual([1, [], [`receipt of ${requestKey('acme', '8')}`], [7, 8]]);
    });
  });
}

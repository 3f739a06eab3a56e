import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  keyTombstones,
  RECORD_SIGNATURE_HEADER,
  signRecord,
  TOPICS,
  type KeyDestroyed,
} from '@opendsr-service/contracts';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import type { DataKeyDocument } from './data-keys.store';
import { foldTombstones, tombstonesStep } from './fold-tombstones';
import { Vault } from './vault';
import type { KeysDatabase } from './vault.contract';

interface Position {
  readonly _id: string;
  readonly next: Readonly<Record<string, string>>;
}

/** Tombstones, for any database. `create` returns an empty one. */
export function tombstonesContract(name: string, create: () => KeysDatabase): void {
  describe(`tombstones of keys on ${name}`, () => {
    const topic = TOPICS.keyTombstones;
    const masterKey = createSecretKey(randomBytes(32));
    const logDir = mkdtempSync(join(tmpdir(), 'tombstones-'));
    let logs = 0;
    let log: EventLog;
    let database: KeysDatabase;
    let connection: Connection;
    let vault: Vault;
    const process = async () => new Vault(await database.open(), masterKey, () => 0, { tombstones: log.publisher });
    const keys = () => connection.collection<DataKeyDocument>('dataKeys');
    const positions = () => connection.collection<Position>('positions');

    beforeEach(async () => {
      database = create();
      connection = await database.open();
      log = await openLog({ embedded: { file: join(logDir, `${++logs}.db`) } });
      await log.topics.apply([topic], { replication: 1, minIsr: 1 });
      vault = await process();
    });
    afterEach(async () => {
      await log.close();
      await database.close();
    });
    afterAll(() => {
      rmSync(logDir, { recursive: true });
    });

    /** A backup of keys and positions. */
    async function backUp() {
      const [keyDocuments, positionDocuments] = [await keys().find({}).toArray(), await positions().find({}).toArray()];
      return async () => {
        for (const collection of [keys(), positions()]) await collection.deleteMany({});
        await keys().insertMany(keyDocuments);
        if (positionDocuments.length > 0) await positions().insertMany(positionDocuments);
      };
    }

    /** The tombstones that a fold applies from now on. */
    async function folded(): Promise<KeyDestroyed[]> {
      const seen: KeyDestroyed[] = [];
      await foldTombstones(log, { connection, key: vault.tombstoneKey }, (tombstones) =>
        Promise.resolve(void seen.push(...tombstones)),
      );
      return seen;
    }

    const silent = { warn: () => undefined };
    const tombstone = (kid: string) =>
      ({
        ...({ type: 'KeyDestroyed', id: '475974fa-6b42-4370-bb56-b5d845686bb5', ws: 'acme' } as const),
        ...({ kid, scope: 'request', at: '2026-01-01T00:00:00.000Z' } as const),
      }) satisfies KeyDestroyed;

    it('destroy again what a restored copy brought back, and nothing else', async () => {
      const [first, second, kept] = [
        await vault.newKey('acme', 'request'),
        await vault.newKey('other', 'subject'),
        await vault.newKey('acme', 'archive'),
      ];
      const oldest = await backUp();
      await vault.destroy('acme', first.kid, 'request');
      await vault.foldTombstones(log);
      const older = await backUp();
      await vault.destroy('other', second.kid, 'subject');
      for (const [restore, alive] of [
        [older, false],
        [oldest, true],
      ] as const) {
        await restore();
        expect((await (await process()).key('acme', first.kid)) !== undefined).toBe(alive);
        expect(await (await process()).key('other', second.kid)).toBeDefined();
        const restarted = await process();
        await tombstonesStep(restarted, log, silent).run();
        for (const [ws, kid] of [
          ['acme', first.kid],
          ['other', second.kid],
        ] as const)
          expect(await restarted.key(ws, kid)).toBeUndefined();
        expect(await restarted.key('acme', kept.kid)).toBeDefined();
        await restarted.foldTombstones(log);
      }
    });

    it('remove keys from memory, too', async () => {
      const { kid } = await vault.newKey('acme', 'request');
      const other = await process();
      await other.key('acme', kid);
      await vault.destroy('acme', kid, 'request');
      await other.foldTombstones(log);
      expect(await other.key('acme', kid)).toBeUndefined();
    });

    it('are applied once, by a position of each database', async () => {
      for (const kid of ['k1', 'k2']) await vault.destroy('acme', kid, 'request');
      expect((await folded()).map(({ kid }) => kid)).toEqual(['k1', 'k2']);
      const { next } = (await positions().findOne({ _id: topic.name })) as Position;
      expect(next).toEqual({ 0: '2' });
      expect(await folded()).toEqual([]);
      await vault.destroy('acme', 'k3', 'request');
      expect((await folded()).map(({ kid }) => kid)).toEqual(['k3']);
      const elsewhere = create();
      let seen = 0;
      const into = { connection: await elsewhere.open(), key: vault.tombstoneKey };
      await foldTombstones(log, into, (tombstones) => Promise.resolve(void (seen += tombstones.length)));
      expect(seen).toBe(3);
      await elsewhere.close();
    });

    it('are repeated until they took effect', async () => {
      await vault.destroy('acme', 'k1', 'request');
      await expect(
        foldTombstones(log, { connection, key: vault.tombstoneKey }, () =>
          Promise.reject(new Error('the store is away')),
        ),
      ).rejects.toThrow('the store is away');
      expect(await positions().findOne({ _id: topic.name })).toBeNull();
      expect((await folded()).map(({ kid }) => kid)).toEqual(['k1']);
    });

    it('are not believed of a writer without the master key, who names a living key', async () => {
      const { kid } = await vault.newKey('acme', 'request');
      const other = new Vault(connection, createSecretKey(randomBytes(32)), () => 0, { tombstones: log.publisher });
      const signed = keyTombstones(vault.tombstoneKey).encode(tombstone('gone'));
      const theirs = keyTombstones(other.tombstoneKey).encode(tombstone(kid));
      await log.publisher.publish(topic.name, [
        { ...theirs, headers: { ...theirs.headers, [RECORD_SIGNATURE_HEADER]: '' } },
        theirs,
        { ...theirs, headers: signed.headers },
        signed,
      ]);
      const warned: unknown[] = [];
      await tombstonesStep(vault, log, { warn: (fields) => void warned.push(fields) }).run();
      expect(warned).toEqual([{ count: 3 }]);
      expect(await (await process()).key('acme', kid)).toBeDefined();
      await connection.collection('positions').deleteMany({});
      expect((await folded()).map((one) => one.kid)).toEqual(['gone']);
    });

    it('are not blocked by a malformed record', async () => {
      const { key, value, headers } = keyTombstones(vault.tombstoneKey).encode(tombstone('k1'));
      await log.publisher.publish(topic.name, [
        { key: '', value: 'no tombstone', headers: {} },
        { key, value: '{"type":"KeyDestroyed"}', headers },
        { key, value, headers },
      ]);
      expect((await folded()).map(({ kid }) => kid)).toEqual(['k1']);
      expect((await positions().findOne({ _id: topic.name }))?.next).toEqual({ 0: '3' });
    });

    it('are counted as skipped only where they are malformed, and not where a later release wrote them', async () => {
      const { key, value, headers } = keyTombstones(vault.tombstoneKey).encode(tombstone('k1'));
      const later = {
        key,
        value: Buffer.from(value.toString().replace('KeyDestroyed', 'KeyMoved')),
        headers: { ...headers, ce_type: 'org.opendsr-service.KeyMoved.v1' },
      };
      await log.publisher.publish(topic.name, [signRecord(later, vault.tombstoneKey), later]);
      expect(await vault.foldTombstones(log)).toMatchObject({ skipped: 1 });
    });

    it('are folded by several concurrently starting processes', async () => {
      const made = await Promise.all(Array.from({ length: 3 }, () => vault.newKey('acme', 'subject')));
      const restore = await backUp();
      for (const { kid } of made) await vault.destroy('acme', kid, 'subject');
      await restore();
      const others = await Promise.all(Array.from({ length: 4 }, () => process()));
      await Promise.all(others.map((other) => other.foldTombstones(log)));
      for (const { kid } of made) expect(await (await process()).key('acme', kid)).toBeUndefined();
      expect(await folded()).toEqual([]);
    });
  });
}

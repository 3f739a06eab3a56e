import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { keyTombstones, TOPICS, type KeyDestroyed } from '@opendsr-service/contracts';
import type { OutgoingRecord, Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { missUntilWrite, type TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { DataKeyDocument } from './data-keys.store';
import { MasterSeal, tombstoneKeyOf } from './master-seal';
import { MasterWrap, type RootKeyDocument } from './master-wrap';
import { KEY_CACHE_MS } from './key-cache-ms';
import { Vault } from './vault';
import { unwrap } from './wrap';

export interface KeysDatabase extends TestDatabase {
  /** All data of the database: its files, or its documents. */
  stored(): Promise<Buffer>;
}

const masterKey = createSecretKey(randomBytes(32));
const place = { ws: 'acme', subject: '475974fa-6b42-4370-bb56-b5d845686bb5', field: 'identities' };
const dataKeysOf = (connection: Connection) => connection.collection<DataKeyDocument>('dataKeys');
const rootKeysOf = (connection: Connection) => connection.collection<RootKeyDocument>('rootKeys');
const kidsIn = async (connection: Connection) =>
  (await dataKeysOf(connection).find({}).toArray()).map(({ _id }) => _id);

/** Records tombstones, and which keys exist at that moment. */
class TombstonesSeen implements Publisher {
  readonly available = true;
  readonly seen: KeyDestroyed[] = [];
  private readonly codec = keyTombstones(tombstoneKeyOf(new MasterSeal(masterKey)));
  look = (): Promise<unknown> => Promise.resolve();

  async publish(topic: string, records: readonly OutgoingRecord[]): Promise<void> {
    expect(topic).toBe(TOPICS.keyTombstones.name);
    await this.look();
    this.seen.push(...records.map(({ value, headers }) => this.codec.decode({ value: Buffer.from(value), headers })));
  }
}

/** The vault, for any database. `create` returns an empty one. */
export function vaultContract(name: string, create: () => KeysDatabase): void {
  describe(`the vault on ${name}`, () => {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const clock = () => time.now;
    let database: KeysDatabase;
    let log: TombstonesSeen;
    let tombstones: SwitchedPublisher;
    const process = async (key: KeyObject = masterKey) => new Vault(await database.open(), key, clock, { tombstones });

    beforeEach(() => {
      database = create();
      log = new TombstonesSeen();
      tombstones = new SwitchedPublisher(log);
    });
    afterEach(() => database.close());

    it('gives keys ids of their own that sort by when they were made', async () => {
      const connection = await database.open();
      await (await process()).newKey('acme', 'request');
      const first = await kidsIn(connection);
      time.now += 1;
      await (await process()).newKey('acme', 'request');
      const all = (await kidsIn(connection)).toSorted();
      expect(new Set(all).size).toBe(8);
      expect(all.slice(0, 4)).toEqual(first.toSorted());
    });

    it('makes four keys at the first need, and the next eight when two are left', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      await vault.newKey('acme', 'request');
      expect(await kidsIn(connection)).toHaveLength(4);
      await vault.newKey('acme', 'request');
      while ((await kidsIn(connection)).length === 4) await new Promise(setImmediate);
      expect(await kidsIn(connection)).toHaveLength(12);
    });

    it('seals again with a key that was given back, and stores no other for it', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      const key = await vault.newKey('acme', 'request');
      for (let i = 0; i < 200; i++) {
        vault.giveBack('acme', 'request', key);
        expect(await vault.newKey('acme', 'request')).toBe(key);
      }
      expect(await kidsIn(connection)).toHaveLength(4);
    });

    it('removes the keys of workspaces that were not used lately', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      const { kid } = await vault.newKey('ws', 'request');
      for (let i = 0; i < 1_000; i++) await vault.newKey(`ws-${i}`, 'request');
      while ((await dataKeysOf(connection).countDocuments({ ws: 'ws' })) > 1) await new Promise(setImmediate);
      expect(await vault.key('ws', kid)).toBeDefined();
    });

    it('takes none of several keys for destroyed that a read misses, each in a shard of its own', async () => {
      const vault = await process();
      const kids = [await vault.newKey('acme', 'request'), await vault.newKey('acme', 'request')].map(({ kid }) => kid);
      const connection = await database.open();
      const other = new Vault(connection, masterKey, clock, { tombstones });
      await other.index('acme');
      const keys = dataKeysOf(connection);
      const updateOne = keys.updateOne.bind(keys);
      const awaited: unknown[] = [];
      keys.updateOne = async (...args) => {
        awaited.push(args[0]?._id);
        return updateOne(...args);
      };
      missUntilWrite(keys);
      expect(await Promise.all(kids.map((kid) => other.key('acme', kid)))).toMatchObject(kids.map((kid) => ({ kid })));
      expect(awaited.sort()).toEqual(kids.sort());
    });

    it('keeps the keys of workspaces and scopes apart', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      await vault.newKey('acme', 'request');
      await vault.newKey('acme', 'subject');
      const { kid } = await vault.newKey('other', 'archive');
      const documents = await dataKeysOf(connection).find({}).toArray();
      const groups = documents.map(({ ws, scope }) => `${ws} ${scope}`);
      expect(groups.sort()).toEqual(
        ['acme request', 'acme subject', 'other archive'].flatMap((group) => Array<string>(4).fill(group)),
      );
      expect(await vault.key('acme', kid)).toBeUndefined();
      expect(await vault.key('other', kid)).toBeDefined();
    });

    it('gives 500 concurrent callers 500 keys that another process finds', async () => {
      const vault = await process();
      const keys = await Promise.all(Array.from({ length: 500 }, () => vault.newKey('acme', 'request')));
      expect(new Set(keys.map(({ kid }) => kid)).size).toBe(500);
      const other = await process();
      const found = await Promise.all(keys.map(({ kid }) => other.key('acme', kid)));
      expect(found.filter((key) => key === undefined)).toEqual([]);
    });

    it('takes no key for destroyed that the first read after an election misses', async () => {
      const { kid } = await (await process()).newKey('acme', 'request');
      const connection = await database.open();
      const other = new Vault(connection, masterKey, clock, { tombstones });
      await other.index('acme');
      missUntilWrite(dataKeysOf(connection));
      expect(await other.key('acme', kid)).toMatchObject({ kid });
    });

    it('opens seals from before a restart', async () => {
      const key = await (await process()).newKey('acme', 'request');
      const sealed = key.seal(place, 'planted-value');
      const again = await (await process()).key('acme', key.kid);
      expect(again?.open(place, sealed).toString()).toBe('planted-value');
    });

    it('drops a destroyed key here at once, elsewhere within the maximum cache age', async () => {
      const [vault, other] = [await process(), await process()];
      const { kid } = await vault.newKey('acme', 'request');
      await vault.key('acme', kid);
      await other.key('acme', kid);
      await vault.destroy('acme', kid, 'request');
      expect(await vault.key('acme', kid)).toBeUndefined();
      time.now += KEY_CACHE_MS;
      expect(await other.key('acme', kid)).toBeUndefined();
      await vault.destroy('acme', kid, 'request');
    });

    it('deletes a key only after its tombstone is acknowledged, and publishes the tombstone once', async () => {
      const [vault, connection] = [await process(), await database.open()];
      const { kid } = await vault.newKey('acme', 'subject');
      let left: unknown;
      log.look = async () => (left = await dataKeysOf(connection).findOne({ _id: kid, ws: 'acme' }));
      await vault.destroy('acme', kid, 'subject');
      expect(left).toMatchObject({ _id: kid });
      expect(await dataKeysOf(connection).findOne({ _id: kid, ws: 'acme' })).toBeNull();
      await vault.destroy('acme', kid, 'subject');
      expect(log.seen).toEqual([
        expect.objectContaining({ ws: 'acme', kid, scope: 'subject', at: new Date(time.now).toISOString() }),
      ]);
    });

    it('deletes nothing while the event log is away, and all of it later', async () => {
      const vault = await process();
      const { kid } = await vault.newKey('acme', 'request');
      tombstones.away = true;
      await expect(vault.destroy('acme', kid, 'request')).rejects.toThrow('away');
      expect(await vault.key('acme', kid)).toBeDefined();
      tombstones.away = false;
      await vault.destroy('acme', kid, 'request');
      expect(await vault.key('acme', kid)).toBeUndefined();
      expect(log.seen).toHaveLength(1);
    });

    it('publishes again, with the same id, the tombstone of a key that is already missing', async () => {
      const { kid } = await (await process()).newKey('acme', 'request');
      for (const vault of [await process(), await process()]) await vault.destroy('acme', kid, 'request');
      expect(new Set(log.seen.map(({ id }) => id)).size).toBe(1);
      expect(log.seen).toHaveLength(2);
    });

    it('names an erased profile equally everywhere, but differently in each workspace and index', async () => {
      const [vault, other] = [await process(), await process()];
      const name = await vault.erasedIndex('acme', '-42');
      expect(await other.erasedIndex('acme', '-42')).toBe(name);
      const others = [
        await vault.erasedIndex('acme', '42'),
        await vault.erasedIndex('other', '-42'),
        (await vault.index('acme')).hash('mpid', '-42'),
      ];
      expect(others).not.toContain(name);
    });

    it('destroys no key of another workspace', async () => {
      const vault = await process();
      const { kid } = await vault.newKey('acme', 'request');
      await vault.destroy('other', kid, 'request');
      expect(await (await process()).key('acme', kid)).toBeDefined();
    });

    it('refuses another master key than the one that wrapped the keys, at start and later', async () => {
      const vault = await process();
      await vault.ready();
      await vault.index('acme');
      const { kid } = await vault.newKey('acme', 'request');
      const stranger = await process(createSecretKey(randomBytes(32)));
      const attempts = [
        () => stranger.ready(),
        () => stranger.key('acme', kid),
        () => stranger.newKey('acme', 'request'),
        () => stranger.index('acme'),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ kind: 'master-key-wrong' });
      }
      await (await process()).ready();
    });

    it('lets concurrently starting processes agree on every key', async () => {
      const vaults = await Promise.all(Array.from({ length: 6 }, () => process()));
      await Promise.all(vaults.map((vault) => vault.ready()));
      const indexes = await Promise.all(
        vaults.map(async (vault) => (await vault.index('acme')).hash('email', 'a@example.com')),
      );
      const systemKeys = await Promise.all(vaults.map((vault) => vault.systemKey('credentials')));
      const dataKeys = await Promise.all(vaults.map((vault) => vault.newKey('acme', 'request')));
      expect(new Set(indexes).size).toBe(1);
      expect(new Set(systemKeys.map((key) => key.export().toString('hex'))).size).toBe(1);
      const reader = await process();
      for (const key of dataKeys)
        expect((await reader.key('acme', key.kid))?.open(place, key.seal(place, 'x')).toString()).toBe('x');
    });

    it('has an index key for each workspace and a system key for each name', async () => {
      const vault = await process();
      expect((await vault.index('acme')).hash('a')).not.toBe((await vault.index('other')).hash('a'));
      expect((await vault.systemKey('a')).equals(await vault.systemKey('b'))).toBe(false);
    });

    it('reports a key as unreadable that was moved, altered, or lost its workspace key', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      const [moved, swapped, source, orphan] = await Promise.all(
        Array.from({ length: 4 }, () => vault.newKey('acme', 'request')),
      );
      const keys = dataKeysOf(connection);
      const material = (await keys.findOne({ _id: String(source?.kid), ws: 'acme' }))?.wrapped;
      await vault.newKey('other', 'request');
      await keys.updateOne({ _id: String(moved?.kid), ws: 'acme' }, { $set: { ws: 'other' } });
      await keys.updateOne({ _id: String(swapped?.kid), ws: 'acme' }, { $set: { wrapped: material } });
      await expect(vault.key('other', String(moved?.kid))).rejects.toMatchObject({ kind: 'key-unreadable' });
      await expect(vault.key('acme', String(swapped?.kid))).rejects.toMatchObject({ kind: 'key-unreadable' });
      await rootKeysOf(connection).deleteOne({ _id: 'workspace:1:acme' });
      await expect((await process()).key('acme', String(orphan?.kid))).rejects.toMatchObject({
        kind: 'key-unreadable',
      });
    });

    it('stores no key as plaintext', async () => {
      const connection = await database.open();
      const vault = new Vault(connection, masterKey, clock, { tombstones });
      await vault.newKey('acme', 'request');
      await vault.index('acme');
      const [roots, data] = [
        await rootKeysOf(connection).find({}).toArray(),
        await dataKeysOf(connection).find({}).toArray(),
      ];
      const rootKeys = new Map(
        roots.map((document) => [document._id, new MasterWrap(masterKey).open(document._id, document)]),
      );
      const wrapper = rootKeys.get('workspace:1:acme') ?? masterKey;
      const dataKeys = data.map(({ _id, by, wrapped }) => unwrap(wrapper, `data-key|acme|${_id}|${by}`, wrapped));
      const secrets = [masterKey, ...rootKeys.values(), ...dataKeys].map((key) => key?.export() ?? Buffer.alloc(0));
      expect(secrets.filter((secret) => secret.length === 32)).toHaveLength(7);
      const stored = await database.stored();
      expect(stored.includes(String(data[0]?.wrapped))).toBe(true);
      const forms = secrets.flatMap((secret) => [
        secret,
        ...(['hex', 'base64', 'base64url'] as const).map((form) => secret.toString(form)),
      ]);
      expect(forms.filter((form) => stored.includes(form)).length).toBe(0);
    });
  });
}

import type { KeyObject } from 'node:crypto';
import { keyTombstones, messageId, TOPICS, type KeyScope } from '@opendsr-service/contracts';
import type { EventLog, Publisher } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { AgedCache } from './aged-cache';
import { blindIndex, type BlindIndex } from './blind-index';
import type { DataKey } from './data-key';
import { DataKeys } from './data-keys.store';
import { foldTombstones } from './fold-tombstones';
import { KeyPool } from './key-pool';
import { LoadingCache } from './loading-cache';
import { MasterWrap } from './master-wrap';
import { RootKeys } from './root-keys.store';

/** No process uses a destroyed key for longer than this (decision 4); an erasure waits so long before its second pass. */
export const KEY_CACHE_MS = 60_000;
const POOL_KEYS = 100;
const POOL_LIMITS = { refillAt: 25, maxAgeMs: 12 * 3600 * 1000 };
/** Beyond these the least used leave memory. Unused keys of a pool stay in the database: nothing sweeps them yet. */
const MAX_ROOT_KEYS = 10_000;
const MAX_POOLS = 1_000;
const MAX_PUBLISHED = 10_000;

/** The system key that shows, by opening, that the master key is the right one. */
export const MASTER_KEY_CHECK = 'master-key-check';
export const systemKeyId = (name: string): string => `system:1:${name}`;

export interface VaultOptions {
  /** Takes the tombstones of destroyed keys. */
  readonly tombstones: Publisher;
  /** Data keys kept in memory, default 10,000. */
  readonly maxCachedKeys?: number;
}

/** The keys that seal personal data (decision 4), in the shared `keys` database. `clock`: milliseconds since 1970. */
export class Vault {
  private readonly roots: RootKeys;
  private readonly dataKeys: DataKeys;
  private readonly keyCache: LoadingCache<DataKey>;
  private readonly pools: AgedCache<KeyPool>;
  /** Keys whose tombstone is acknowledged: the second pass of an erasure publishes none again. */
  private readonly published: AgedCache<true>;

  constructor(
    private readonly connection: Connection,
    masterKey: KeyObject,
    private readonly clock: () => number,
    private readonly options: VaultOptions,
  ) {
    this.roots = new RootKeys(connection, new MasterWrap(masterKey), clock, {
      maxEntries: MAX_ROOT_KEYS,
      maxAgeMs: KEY_CACHE_MS,
    });
    this.dataKeys = new DataKeys(connection, this.roots, clock);
    this.keyCache = new LoadingCache({ maxEntries: options.maxCachedKeys ?? 10_000, maxAgeMs: KEY_CACHE_MS }, clock);
    this.pools = new AgedCache({ maxEntries: MAX_POOLS, maxAgeMs: Infinity }, clock);
    this.published = new AgedCache({ maxEntries: MAX_PUBLISHED, maxAgeMs: Infinity }, clock);
  }

  /** Await it before listening. Throws a VaultError `master-key-wrong`. */
  async ready(): Promise<void> {
    await this.systemKey(MASTER_KEY_CHECK);
  }

  /** A key that is durable already. It comes from a pool of a hundred, made by one write and refilled ahead of need. */
  newKey(ws: string, scope: KeyScope): Promise<DataKey> {
    const id = `${scope}|${ws}`;
    const known = this.pools.get(id);
    if (known) return known.takeKey();
    const pool = new KeyPool(POOL_LIMITS, this.clock, () => this.dataKeys.make(ws, scope, POOL_KEYS));
    this.pools.set(id, pool);
    return pool.takeKey();
  }

  /** Undefined once the key is destroyed: here at once, in other processes within KEY_CACHE_MS. */
  key(ws: string, kid: string): Promise<DataKey | undefined> {
    return this.keyCache.get(`${ws}|${kid}`, () => this.dataKeys.read(ws, kid));
  }

  /**
   * Deletes the key, and with it the meaning of whatever it sealed (decision 4). Its tombstone is acknowledged first, so that a
   * restored copy of the key is destroyed again; rejects as the publisher does, and then nothing was deleted. Repeating
   * it does no harm.
   */
  async destroy(ws: string, kid: string, scope: KeyScope): Promise<void> {
    await this.publishTombstone(ws, kid, scope);
    this.keyCache.drop(`${ws}|${kid}`);
    await this.dataKeys.remove(ws, [kid]);
    // A reader in between may have fetched it once more.
    this.keyCache.drop(`${ws}|${kid}`);
  }

  /** Destroys again the keys that a restored copy brought back, and returns how many tombstones were new to it. */
  async foldTombstones(log: Pick<EventLog, 'read'>): Promise<number> {
    let taken = 0;
    await foldTombstones(log, this.connection, async (tombstones) => {
      const workspaces = new Set(tombstones.map(({ ws }) => ws));
      for (const ws of workspaces)
        await this.dataKeys.remove(
          ws,
          tombstones.filter((tombstone) => tombstone.ws === ws).map(({ kid }) => kid),
        );
      for (const { ws, kid } of tombstones) this.keyCache.drop(`${ws}|${kid}`);
      taken += tombstones.length;
    });
    return taken;
  }

  /** The blind index of a workspace, under a random key of its own that no rotation touches. */
  async index(ws: string): Promise<BlindIndex> {
    return blindIndex(await this.roots.findOrCreate(`index:1:${ws}`));
  }

  /** The name of an erased profile in reports and in results: equal for equal profiles, and revealing nothing else. */
  async erasedIndex(ws: string, mpid: string): Promise<string> {
    return (await this.index(ws)).hash('erased-profile', mpid);
  }

  /** 32 random bytes under this name, made once for all processes; for keyed hashes such as those of credentials. */
  systemKey(name: string): Promise<KeyObject> {
    return this.roots.findOrCreate(systemKeyId(name));
  }

  private async publishTombstone(ws: string, kid: string, scope: KeyScope): Promise<void> {
    // That the key is gone would not prove a tombstone: it may be missing only in the copy that was restored.
    if (this.published.get(`${ws}|${kid}`)) return;
    const tombstone = keyTombstones.encode({
      type: 'KeyDestroyed',
      id: messageId(ws, kid, 'destroyed'),
      ws,
      kid,
      scope,
      at: new Date(this.clock()).toISOString(),
    });
    await this.options.tombstones.publish(TOPICS.keyTombstones.name, [tombstone]);
    this.published.set(`${ws}|${kid}`, true);
  }
}

import type { KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import { AgedCache } from './aged-cache';
import { blindIndex, type BlindIndex } from './blind-index';
import type { DataKey } from './data-key';
import { DataKeys, type KeyScope } from './data-keys.store';
import { KeyPool } from './key-pool';
import { LoadingCache } from './loading-cache';
import { MasterWrap } from './master-wrap';
import { RootKeys } from './root-keys.store';

/** No process knows a key for longer than this after its destruction (D4); an erasure waits so long before it deletes again. */
export const KEY_CACHE_MS = 60_000;
const POOL_KEYS = 100;
const POOL_LIMITS = { refillAt: 25, maxAgeMs: 12 * 3600 * 1000 };
/** Beyond these the least used leave memory: a root key is read again, the keys of a pool are swept as unused. */
const MAX_ROOT_KEYS = 10_000;
const MAX_POOLS = 1_000;

export interface VaultOptions {
  /** Data keys kept in memory, default 10,000. */
  readonly maxCachedKeys?: number;
}

/** The keys under which personal data is sealed (D4), over the shared `keys` database. `clock` answers milliseconds since 1970. */
export class Vault {
  private readonly roots: RootKeys;
  private readonly dataKeys: DataKeys;
  private readonly keyCache: LoadingCache<DataKey>;
  private readonly pools: AgedCache<KeyPool>;

  constructor(
    connection: Connection,
    masterKey: KeyObject,
    private readonly clock: () => number,
    options: VaultOptions = {},
  ) {
    this.roots = new RootKeys(connection, new MasterWrap(masterKey), clock, { maxEntries: MAX_ROOT_KEYS, maxAgeMs: KEY_CACHE_MS });
    this.dataKeys = new DataKeys(connection, this.roots, clock);
    this.keyCache = new LoadingCache({ maxEntries: options.maxCachedKeys ?? 10_000, maxAgeMs: KEY_CACHE_MS }, clock);
    this.pools = new AgedCache({ maxEntries: MAX_POOLS, maxAgeMs: Infinity }, clock);
  }

  /** Await it before listening. Throws a VaultError `master-key-wrong` where another master key wrapped what the database holds. */
  async ready(): Promise<void> {
    await this.systemKey('master-key-check');
  }

  /** A key that is durable already. It comes from a pool of a hundred, made by one write and refilled ahead of need. */
  newKey(ws: string, scope: KeyScope): Promise<DataKey> {
    const id = `${scope}|${ws}`;
    const known = this.pools.get(id);
    if (known) return known.take();
    const pool = new KeyPool(POOL_LIMITS, this.clock, () => this.dataKeys.make(ws, scope, POOL_KEYS));
    this.pools.set(id, pool);
    return pool.take();
  }

  /** Undefined once the key is destroyed: here at once, in other processes within KEY_CACHE_MS. */
  key(ws: string, kid: string): Promise<DataKey | undefined> {
    return this.keyCache.get(`${ws}|${kid}`, () => this.dataKeys.read(ws, kid));
  }

  /** Deletes the key, and with it the meaning of whatever it sealed. Repeating it does no harm. */
  async destroy(ws: string, kid: string): Promise<void> {
    this.keyCache.drop(`${ws}|${kid}`);
    await this.dataKeys.remove(ws, kid);
    // A reader in between may have fetched it once more.
    this.keyCache.drop(`${ws}|${kid}`);
  }

  /** The blind index of a workspace, under a random key of its own that no rotation touches. */
  async index(ws: string): Promise<BlindIndex> {
    return blindIndex(await this.roots.ensured(`index:1:${ws}`));
  }

  /** 32 random bytes under this name, made once for all processes; for keyed hashes such as those of credentials. */
  systemKey(name: string): Promise<KeyObject> {
    return this.roots.ensured(`system:1:${name}`);
  }
}

import type { KeyObject } from 'node:crypto';
import { keyTombstones, tombstoneId, TOPICS, type KeyScope } from '@opendsr-service/contracts';
import type { EventLog, Publisher } from '@opendsr-service/messaging';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { AgedCache } from './aged-cache';
import { blindIndex, type BlindIndex } from './blind-index';
import type { DataKey } from './data-key';
import { DataKeys } from './data-keys.store';
import { foldTombstones, kidsByWorkspace } from './fold-tombstones';
import type { GenerationSecrets } from './generation-secrets';
import { Generations, stateOf } from './generations.store';
import { KEY_CACHE_MS } from './key-cache-ms';
import { KeyPool } from './key-pool';
import { LoadingCache } from './loading-cache';
import { leafKeyOf, MasterSeal, tombstoneKeyOf } from './master-seal';
import { MasterWrap } from './master-wrap';
import { RootKeys } from './root-keys.store';
import { VaultError } from './vault-error';
import { WorkspaceKeys } from './workspace-keys';

const POOL_LIMITS = { fewest: 4, most: 100, maxAgeMs: 12 * 3600 * 1000 };
const MAX_POOLS = 1_000;
const MAX_PUBLISHED = 10_000;

/** The system key that proves that the master key is the right one. */
export const MASTER_KEY_CHECK = 'master-key-check';
export const systemKeyId = (name: string): string => `system:1:${name}`;

const poolId = (ws: string, scope: KeyScope): string => `${scope}|${ws}`;

interface VaultOptions {
  readonly tombstones: Publisher;
  /** Absent: workspace keys are stored, wrapped by the master key, and never rotated. */
  readonly generations?: GenerationSecrets | undefined;
  readonly maxCachedKeys?: number;
}

/** The keys that seal personal data (decision 4), in the shared `keys` database. `clock`: milliseconds since 1970. */
export class Vault {
  readonly tombstoneKey: KeyObject;
  readonly leafKey: KeyObject;
  private readonly roots: RootKeys;
  private readonly dataKeys: DataKeys;
  private readonly generations: Generations | undefined;
  private readonly keyCache: LoadingCache<DataKey>;
  private readonly pools: LRUCache<string, KeyPool>;
  /** Keys with an acknowledged tombstone: the second pass of an erasure publishes none again. */
  private readonly published: AgedCache<true>;

  constructor(
    private readonly connection: Connection,
    masterKey: KeyObject,
    private readonly clock: () => number,
    private readonly options: VaultOptions,
  ) {
    const seal = new MasterSeal(masterKey);
    [this.tombstoneKey, this.leafKey] = [tombstoneKeyOf(seal), leafKeyOf(seal)];
    this.roots = new RootKeys(connection, new MasterWrap(masterKey), clock);
    this.generations = options.generations && new Generations(connection, options.generations, clock);
    this.dataKeys = new DataKeys(connection, new WorkspaceKeys(this.roots, this.generations), clock);
    this.keyCache = new LoadingCache({ maxEntries: options.maxCachedKeys ?? 10_000, maxAgeMs: KEY_CACHE_MS }, clock);
    this.pools = new LRUCache({ max: MAX_POOLS, dispose: (pool) => void pool.empty() });
    this.published = new AgedCache({ maxEntries: MAX_PUBLISHED, maxAgeMs: Infinity }, clock);
  }

  /** Await it before listening. Throws a VaultError if the master key or the secrets of generations are the wrong ones. */
  async ready(): Promise<void> {
    await this.systemKey(MASTER_KEY_CHECK);
    if (this.generations) return this.generations.ready();
    if (await stateOf(this.connection))
      throw new VaultError(
        'generations-unset',
        'the keys in this database are wrapped by generations: set KEY_GENERATION_FOLDER or KEY_SERVICE as for the other processes',
      );
  }

  newKey(ws: string, scope: KeyScope): Promise<DataKey> {
    const id = poolId(ws, scope);
    const known = this.pools.get(id);
    if (known) return known.takeKey();
    const pool = new KeyPool(POOL_LIMITS, this.clock, {
      make: (count) => this.dataKeys.make(ws, scope, count),
      remove: (kids) => this.dataKeys.remove(ws, kids),
    });
    this.pools.set(id, pool);
    return pool.takeKey();
  }

  /** Takes a key of `newKey` back that has sealed nothing that is kept: another seal may use it. */
  giveBack(ws: string, scope: KeyScope, key: DataKey): void {
    const pool = this.pools.get(poolId(ws, scope));
    if (pool) pool.giveBack(key);
    // It seals nothing where it stays.
    else this.dataKeys.remove(ws, [key.kid]).catch(() => undefined);
  }

  /** Undefined once the key is destroyed: in this process at once, in others within KEY_CACHE_MS. */
  key(ws: string, kid: string): Promise<DataKey | undefined> {
    return this.keyCache.get(`${ws}|${kid}`, () => this.dataKeys.read(ws, kid));
  }

  /** The tombstone is published first (decision 4): if that fails, nothing is deleted. Idempotent. */
  async destroy(ws: string, kid: string, scope: KeyScope): Promise<void> {
    await this.publishTombstone(ws, kid, scope);
    this.keyCache.drop(`${ws}|${kid}`);
    await this.dataKeys.remove(ws, [kid]);
    // A concurrent reader may have cached the key again.
    this.keyCache.drop(`${ws}|${kid}`);
  }

  /**
   * The last generation that can have wrapped a key which is destroyed by now. Undefined without generations: then old
   * copies of wrapped keys open as long as they exist.
   */
  async lastGeneration(): Promise<number | undefined> {
    return (await this.generations?.read())?.current;
  }

  /** Whether no copy of a key that was wrapped by this generation or an earlier one opens any more. */
  async isGenerationGone(generation: number): Promise<boolean> {
    return ((await this.generations?.read())?.gone ?? 0) >= generation;
  }

  /** Destroys again the keys that a restored copy brought back. Resolves with their number, and with how many records were none. */
  async foldTombstones(log: Pick<EventLog, 'read'>): Promise<{ destroyed: number; skipped: number }> {
    let destroyed = 0;
    const into = { connection: this.connection, key: this.tombstoneKey };
    const skipped = await foldTombstones(log, into, async (tombstones) => {
      for (const [ws, kids] of kidsByWorkspace(tombstones)) {
        destroyed += await this.dataKeys.remove(ws, kids);
        for (const kid of kids) this.keyCache.drop(`${ws}|${kid}`);
      }
    });
    return { destroyed, skipped };
  }

  /** The index key of a workspace is random and never rotated. */
  async index(ws: string): Promise<BlindIndex> {
    return blindIndex(await this.roots.findOrCreate(`index:1:${ws}`));
  }

  /** The name of an erased profile in reports and results: stable for a profile, and reveals nothing else. */
  async erasedIndex(ws: string, mpid: string): Promise<string> {
    return (await this.index(ws)).hash('erased-profile', mpid);
  }

  /** 32 random bytes under this name, created once for all processes. For keyed hashes such as those of credentials. */
  systemKey(name: string): Promise<KeyObject> {
    return this.roots.findOrCreate(systemKeyId(name));
  }

  private async publishTombstone(ws: string, kid: string, scope: KeyScope): Promise<void> {
    // A missing key does not prove a tombstone: the key may be missing only in a restored copy.
    if (this.published.get(`${ws}|${kid}`)) return;
    const tombstone = keyTombstones(this.tombstoneKey).encode({
      type: 'KeyDestroyed',
      id: tombstoneId({ ws, kid }),
      ws,
      kid,
      scope,
      at: new Date(this.clock()).toISOString(),
    });
    await this.options.tombstones.publish(TOPICS.keyTombstones.name, [tombstone]);
    this.published.set(`${ws}|${kid}`, true);
  }
}

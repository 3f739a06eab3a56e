import type { KeyObject } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import type { CacheLimits } from './aged-cache';
import { insertOrRead } from './insert-or-read';
import { KEY_CACHE_MS } from './key-cache-ms';
import { LoadingCache } from './loading-cache';
import type { MasterWrap, RootKeyDocument } from './master-wrap';

const MAX_ROOT_KEYS = 10_000;

export class RootKeys {
  private readonly collection: Collection<RootKeyDocument>;
  private readonly cache: LoadingCache<KeyObject>;

  constructor(
    connection: Connection,
    private readonly master: MasterWrap,
    private readonly clock: () => number,
    limits: CacheLimits = { maxEntries: MAX_ROOT_KEYS, maxAgeMs: KEY_CACHE_MS },
  ) {
    this.collection = connection.collection<RootKeyDocument>('rootKeys');
    this.cache = new LoadingCache(limits, clock);
  }

  find(id: string): Promise<KeyObject | undefined> {
    return this.cache.get(id, async () => {
      const document = await this.read(id);
      return document ? this.master.open(id, document) : undefined;
    });
  }

  async findOrCreate(id: string): Promise<KeyObject> {
    return (await this.find(id)) ?? this.make(id);
  }

  private async make(id: string): Promise<KeyObject> {
    const { by, wrapped } = this.master.wrapNewKey(id);
    const document = { _id: id, by, wrapped, at: new Date(this.clock()) };
    const kept = await insertOrRead<RootKeyDocument>(
      document,
      () => this.read(id),
      (first) => this.collection.insertOne(first),
    );
    return this.master.open(id, kept);
  }

  private read(id: string): Promise<RootKeyDocument | null> {
    return this.collection.findOne({ _id: id });
  }
}

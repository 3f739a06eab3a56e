import type { KeyObject } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import { insertOrRead } from './insert-or-read';
import { isMadeBy, makeToken, readClaim } from './link-token';
import { LoadingCache } from './loading-cache';
import { MasterWrap, type RootKeyDocument } from './master-wrap';

interface LinkKeyDocument extends RootKeyDocument {
  readonly from: Date;
}

interface LinkKey {
  readonly id: string;
  readonly from: Date;
  readonly key: KeyObject;
}

const FIRST_ID = '1';
const RELOAD_MS = 60_000;
/** Every process reads a new key before the first link under it is made. */
const ROTATION_LEAD_MS = 10 * RELOAD_MS;
const MAX_KEYS = 1_000;

/** Tokens of results links are not stored: each process derives the same one from request and completion. */
export class LinkKeys {
  private readonly collection: Collection<LinkKeyDocument>;
  private readonly master: MasterWrap;
  private readonly cache: LoadingCache<LinkKey[]>;

  constructor(
    connection: Connection,
    masterKey: KeyObject,
    private readonly clock: () => number,
  ) {
    this.collection = connection.collection<LinkKeyDocument>('linkKeys');
    this.master = new MasterWrap(masterKey);
    this.cache = new LoadingCache({ maxEntries: 1, maxAgeMs: RELOAD_MS }, clock);
  }

  /** Creates the first key. Await it before listening. */
  async ready(): Promise<void> {
    const first = this.fresh(FIRST_ID, new Date(0));
    await insertOrRead<LinkKeyDocument>(
      first,
      () => this.collection.findOne({ _id: FIRST_ID }),
      (document) => this.collection.insertOne(document),
    );
    this.cache.drop('all');
    await this.keys();
  }

  async tokenFor(ws: string, srid: string, completedAt: Date): Promise<string> {
    const keys = await this.keys();
    const current = keys.find(({ from }) => from <= completedAt);
    if (!current) throw new Error('no link key exists: ready() was not awaited');
    return makeToken({ ws, srid, keyId: current.id }, current.key);
  }

  /** Accepts a token of any key, current or older. */
  async verifyToken(token: string): Promise<{ ws: string; srid: string } | undefined> {
    const claim = readClaim(token);
    const key = claim && (await this.keys()).find(({ id }) => id === claim.keyId)?.key;
    return key && isMadeBy(key, token) ? { ws: claim.ws, srid: claim.srid } : undefined;
  }

  /** Adds a key for requests completed at or after `from`. Older keys still verify. */
  async rotate(from: Date): Promise<void> {
    if (from.getTime() < this.clock() + ROTATION_LEAD_MS)
      throw new RangeError('a link key must be added at least ten minutes before its first use');
    const [newest] = await this.read();
    await this.collection.insertOne(this.fresh(String(Number(newest?.id ?? 0) + 1), from));
  }

  private async keys(): Promise<LinkKey[]> {
    return (await this.cache.get('all', () => this.read())) ?? [];
  }

  private async read(): Promise<LinkKey[]> {
    const documents = await this.collection.find({}).sort({ from: -1 }).limit(MAX_KEYS).toArray();
    return documents.map((document) => ({
      id: document._id,
      from: document.from,
      key: this.master.open(rootId(document._id), document),
    }));
  }

  private fresh(id: string, from: Date): LinkKeyDocument {
    const { by, wrapped } = this.master.wrapNewKey(rootId(id));
    return { _id: id, by, wrapped, at: new Date(this.clock()), from };
  }
}

function rootId(id: string): string {
  return `link:${id}`;
}

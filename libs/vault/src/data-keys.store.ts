import type { KeyScope } from '@opendsr-service/contracts';
import { awaitCurrentReads, CallJoiner } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { dataKey, type DataKey } from './data-key';
import { publicBytes } from './public-bytes';
import { VaultError } from './vault-error';
import type { WorkspaceKeys } from './workspace-keys';
import { freshKey, unwrap } from './wrap';

export interface DataKeyDocument {
  readonly _id: string;
  readonly ws: string;
  readonly scope: KeyScope;
  /** The generation of the workspace key that wraps it. */
  readonly by: number;
  readonly wrapped: string;
  readonly at: Date;
}

/** Hexadecimal digits of a time in milliseconds, until the year 10889. */
const KID_TIME_DIGITS = 12;
const KID_RANDOM_BYTES = 10;

export class DataKeys {
  private readonly collection: Collection<DataKeyDocument>;
  private readonly loader = new CallJoiner((keys: readonly KeyRef[]) => this.readAll(keys));

  constructor(
    connection: Connection,
    private readonly wrappers: WorkspaceKeys,
    private readonly clock: () => number,
  ) {
    this.collection = connection.collection<DataKeyDocument>('dataKeys');
  }

  /** A key that a finished rotation can no longer see is not given out: it is made again. */
  async make(ws: string, scope: KeyScope, count: number): Promise<DataKey[]> {
    for (;;) {
      const { by, key: wrapper } = await this.wrappers.current(ws);
      const at = new Date(this.clock());
      const made = Array.from({ length: count }, () => {
        const kid = newKid(at);
        const { key, wrapped } = freshKey(wrapper, wrapAad(ws, kid, by));
        return { key: dataKey(kid, key), document: { _id: kid, ws, scope, by, wrapped, at } };
      });
      await this.collection.insertMany(made.map(({ document }) => document));
      if (await this.wrappers.isCurrent(by)) return made.map(({ key }) => key);
      await this.remove(
        ws,
        made.map(({ key }) => key.kid),
      );
    }
  }

  async read(ws: string, kid: string): Promise<DataKey | undefined> {
    for (let before: number | undefined; ;) {
      const document = await this.loader.call({ ws, kid });
      if (!document) return undefined;
      const wrapper = await this.wrappers.find(ws, document.by);
      const key = wrapper && unwrap(wrapper, wrapAad(ws, kid, document.by), document.wrapped);
      if (key) return dataKey(kid, key);
      // A rotation may have wrapped it again since, and destroyed the secret by which it was read.
      if (document.by === before) {
        if (!wrapper) await this.wrappers.demandSecret(document.by);
        throw new VaultError(
          'key-unreadable',
          `the stored data key ${kid} does not open: it or its workspace key was altered or lost`,
        );
      }
      before = document.by;
    }
  }

  private async readAll(keys: readonly KeyRef[]): Promise<(DataKeyDocument | undefined)[]> {
    let byKid = await this.findAll(keys);
    // What is missed would count as destroyed. Each may lie in a shard of its own.
    const missing = keys.filter(({ kid }) => !byKid.has(kid));
    if (missing.length > 0) {
      await Promise.all(missing.map(({ ws, kid }) => awaitCurrentReads(this.collection, { _id: kid, ws })));
      byKid = await this.findAll(keys);
    }
    return keys.map(({ ws, kid }) => (byKid.get(kid)?.ws === ws ? byKid.get(kid) : undefined));
  }

  private async findAll(keys: readonly KeyRef[]): Promise<ReadonlyMap<string, DataKeyDocument>> {
    const each = (field: 'ws' | 'kid') => ({ $in: [...new Set(keys.map((key) => key[field]))] });
    const found = await this.collection.find({ _id: each('kid'), ws: each('ws') }).toArray();
    return new Map(found.map((document) => [document._id, document]));
  }

  /** Returns the number of keys that were there. */
  async remove(ws: string, kids: readonly string[]): Promise<number> {
    return (await this.collection.deleteMany({ _id: { $in: [...kids] }, ws })).deletedCount;
  }
}

type KeyRef = Readonly<Record<'ws' | 'kid', string>>;

/**
 * Ids of keys sort by when they were made: new ones come last in each index that holds them, so inserts into a store of
 * many keys change few pages of it.
 */
const newKid = (at: Date): string =>
  at.getTime().toString(16).padStart(KID_TIME_DIGITS, '0') + publicBytes(KID_RANDOM_BYTES).toString('base64url');

/** When a key was made, by its id, in milliseconds. */
export const kidTimeMs = (kid: string): number => Number.parseInt(kid.slice(0, KID_TIME_DIGITS), 16);

/** Binds a wrapped data key to its place. */
export function wrapAad(ws: string, kid: string, by: number): string {
  return `data-key|${ws}|${kid}|${by}`;
}

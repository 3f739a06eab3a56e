import { randomBytes } from 'node:crypto';
import type { KeyScope } from '@opendsr-service/contracts';
import { BatchLoader } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { dataKey, type DataKey } from './data-key';
import type { RootKeys } from './root-keys.store';
import { VaultError } from './vault-error';
import { freshKey, unwrap } from './wrap';

export interface DataKeyDocument {
  readonly _id: string;
  readonly ws: string;
  readonly scope: KeyScope;
  readonly by: number;
  readonly wrapped: string;
  readonly at: Date;
}

const KID_BYTES = 16;
const WORKSPACE_KEY_VERSION = 1;

export class DataKeys {
  private readonly collection: Collection<DataKeyDocument>;
  private readonly loader = new BatchLoader((keys: readonly KeyRef[]) => this.readAll(keys));

  constructor(
    connection: Connection,
    private readonly roots: RootKeys,
    private readonly clock: () => number,
  ) {
    this.collection = connection.collection<DataKeyDocument>('dataKeys');
  }

  async make(ws: string, scope: KeyScope, count: number): Promise<DataKey[]> {
    const wrapper = await this.roots.findOrCreate(workspaceKeyId(ws, WORKSPACE_KEY_VERSION));
    const by = WORKSPACE_KEY_VERSION;
    const at = new Date(this.clock());
    const made = Array.from({ length: count }, () => {
      const kid = randomBytes(KID_BYTES).toString('base64url');
      const { key, wrapped } = freshKey(wrapper, aadOf(ws, kid, by));
      return { key: dataKey(kid, key), document: { _id: kid, ws, scope, by, wrapped, at } };
    });
    await this.collection.insertMany(made.map(({ document }) => document));
    return made.map(({ key }) => key);
  }

  async read(ws: string, kid: string): Promise<DataKey | undefined> {
    const document = await this.loader.load({ ws, kid });
    if (!document) return undefined;
    const wrapper = await this.roots.find(workspaceKeyId(ws, document.by));
    const key = wrapper && unwrap(wrapper, aadOf(ws, kid, document.by), document.wrapped);
    if (!key)
      throw new VaultError(
        'key-unreadable',
        `the stored data key ${kid} does not open: it or its workspace key was altered or lost`,
      );
    return dataKey(kid, key);
  }

  private async readAll(keys: readonly KeyRef[]): Promise<(DataKeyDocument | undefined)[]> {
    const each = (field: 'ws' | 'kid') => ({ $in: [...new Set(keys.map((key) => key[field]))] });
    const found = await this.collection.find({ _id: each('kid'), ws: each('ws') }).toArray();
    const byKid = new Map(found.map((document) => [document._id, document]));
    return keys.map(({ ws, kid }) => (byKid.get(kid)?.ws === ws ? byKid.get(kid) : undefined));
  }

  async remove(ws: string, kids: readonly string[]): Promise<void> {
    await this.collection.deleteMany({ _id: { $in: [...kids] }, ws });
  }
}

type KeyRef = Readonly<Record<'ws' | 'kid', string>>;

function aadOf(ws: string, kid: string, by: number): string {
  return `data-key|${ws}|${kid}|${by}`;
}

function workspaceKeyId(ws: string, version: number): string {
  return `workspace:${version}:${ws}`;
}

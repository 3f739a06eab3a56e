import type { KeyObject } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import { insertOrRead } from './insert-or-read';
import { isMadeBy, makeToken, readClaim } from './link-token';
import { MasterWrap, type RootKeyDocument } from './master-wrap';

/** Tokens name the key, so that others may follow it. */
const KEY_ID = '1';
const ROOT_ID = `link:${KEY_ID}`;

/** Tokens of results links are not stored: each process derives the same one from the request. */
export class LinkKeys {
  private readonly collection: Collection<RootKeyDocument>;
  private readonly master: MasterWrap;
  private key?: KeyObject;

  constructor(
    connection: Connection,
    masterKey: KeyObject,
    private readonly clock: () => number,
  ) {
    this.collection = connection.collection<RootKeyDocument>('linkKeys');
    this.master = new MasterWrap(masterKey);
  }

  /** Creates the key. Await it before listening. Throws a VaultError `master-key-wrong` if another master key wrapped it. */
  async ready(): Promise<void> {
    const document = await insertOrRead<RootKeyDocument>(
      { _id: KEY_ID, ...this.master.wrapNewKey(ROOT_ID), at: new Date(this.clock()) },
      () => this.collection.findOne({ _id: KEY_ID }),
      (fresh) => this.collection.insertOne(fresh),
    );
    this.key = this.master.open(ROOT_ID, document);
  }

  tokenFor(ws: string, srid: string): string {
    return makeToken({ ws, srid, keyId: KEY_ID }, this.readyKey());
  }

  /** Undefined: no token of ours. */
  verifyToken(token: string): { ws: string; srid: string } | undefined {
    const claim = readClaim(token);
    const isOurs = claim?.keyId === KEY_ID && isMadeBy(this.readyKey(), token);
    return isOurs ? { ws: claim.ws, srid: claim.srid } : undefined;
  }

  private readyKey(): KeyObject {
    if (!this.key) throw new Error('there is no link key: ready() was not awaited');
    return this.key;
  }
}

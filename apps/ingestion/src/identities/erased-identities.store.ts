import { declareCollection, insertMissing, isAnyStored } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface ErasedIdentityDocument {
  /** The id of an identity: `<ws>:<blind index of type and value>`. */
  readonly _id: string;
  readonly ws: string;
  readonly at: Date;
}

/** Which identities were erased, as keyed hashes only (docs/erasure.md). */
export class ErasedIdentitiesStore {
  private readonly erased: Collection<ErasedIdentityDocument>;

  constructor(connection: Connection) {
    this.erased = declareCollection(connection, 'erasedIdentities', []);
  }

  async remember(ws: string, ids: readonly string[], at: Date): Promise<void> {
    await insertMissing(
      this.erased,
      ids.map((_id) => ({ _id, ws, at })),
    );
  }

  holdsAny(ws: string, ids: readonly string[]): Promise<boolean> {
    return isAnyStored(this.erased, ws, ids);
  }
}

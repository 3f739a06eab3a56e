import { declareCollection, DocumentLoader, duplicateKey, findInPages, inPages } from '@opendsr-service/storage';
import { IDENTITY_TYPES, isDeviceIdentity, type IdentityTypeName } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';

export interface IdentityDocument {
  /** `<ws>:<blind index of type and value>`: the unique `_id` gives an identity one owner. */
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  /** The key of its profile, so that an erasure can destroy it if a crash left identities without their profile. */
  readonly kid: string;
  readonly type: IdentityTypeName;
  readonly sealed: string;
  /** Of an anonymous device: the `_id` of the same device as a verified identity. */
  readonly deviceId?: string;
}

export type OwnedIdentity = Omit<IdentityDocument, 'sealed'>;

const DEVICES = (Object.keys(IDENTITY_TYPES) as IdentityTypeName[]).filter(isDeviceIdentity);

export class IdentitiesStore {
  private readonly identities: Collection<IdentityDocument>;
  private readonly loader: DocumentLoader<IdentityDocument>;

  constructor(connection: Connection) {
    this.identities = declareCollection(connection, 'identities', [
      { fields: { ws: 1, mpid: 1 } },
      { fields: { ws: 1, kid: 1 } },
    ]);
    this.loader = new DocumentLoader(this.identities);
  }

  find(ws: string, ids: readonly string[]): Promise<IdentityDocument[]> {
    return this.loader.loadMany(ids, ws);
  }

  /** Without what is sealed, because it may be all that thousands of profiles have. */
  findByProfiles(ws: string, mpids: readonly string[]): Promise<OwnedIdentity[]> {
    return findInPages(mpids, (page) =>
      this.identities.find<OwnedIdentity>({ ws, mpid: { $in: page } }, { projection: { sealed: 0 } }).toArray(),
    );
  }

  findByProfile(ws: string, mpid: string): Promise<IdentityDocument[]> {
    return this.identities.find({ ws, mpid }).toArray();
  }

  /** Which of these profiles have a login identity. */
  async findWithLogin(ws: string, mpids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await findInPages(mpids, (page) =>
      this.identities.find({ ws, mpid: { $in: page }, type: { $nin: DEVICES } }, { projection: { mpid: 1 } }).toArray(),
    );
    return new Set(found.map(({ mpid }) => mpid));
  }

  /** Any one, because a profile has verified identities or exactly one that is unverified (decision 18). */
  async findOneId(ws: string, mpid: string): Promise<string | undefined> {
    return (await this.identities.findOne({ ws, mpid }, { projection: { _id: 1 } }))?._id;
  }

  /** Counts up to `most`. */
  countByProfile(ws: string, mpid: string, most: number): Promise<number> {
    return this.identities.countDocuments({ ws, mpid }, { limit: most });
  }

  /** The profiles need not exist. */
  async findMpidsByKeys(ws: string, kids: readonly string[]): Promise<string[]> {
    const found = await findInPages(kids, (page) =>
      this.identities.find({ ws, kid: { $in: page } }, { projection: { mpid: 1 } }).toArray(),
    );
    return [...new Set(found.map(({ mpid }) => mpid))];
  }

  /** False: an identity already has an owner. The others may or may not have been attached. */
  async attach(identities: readonly IdentityDocument[]): Promise<boolean> {
    if (identities.length === 0) return true;
    try {
      await this.identities.insertMany([...identities]);
      return true;
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      return false;
    }
  }

  /**
   * As `attach`, to a profile that exists. Detaches them again unless `stands` is true afterwards, also where it rejects:
   * the next try would find them owned.
   */
  async attachIf(identities: readonly IdentityDocument[], stands: () => Promise<boolean>): Promise<boolean> {
    let isDone = false;
    try {
      isDone = (await this.attach(identities)) && (await stands());
    } finally {
      if (!isDone) await this.detach(identities);
    }
    return isDone;
  }

  /** Every seal differs, so an identity that another call has attached to the same profile since stays. */
  async detach(identities: readonly IdentityDocument[]): Promise<void> {
    for (const page of inPages(identities)) {
      await this.identities.bulkWrite(
        page.map(({ _id, ws, mpid, sealed }) => ({ deleteOne: { filter: { _id, ws, mpid, sealed } } })),
        { ordered: false },
      );
    }
  }

  async removeByProfile(ws: string, mpid: string): Promise<void> {
    await this.identities.deleteMany({ ws, mpid });
  }
}

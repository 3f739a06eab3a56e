import { profileKey } from '@opendsr-service/contracts';
import {
  awaitCurrentReads,
  declareCollection,
  DocumentLoader,
  duplicateKey,
  findInPages,
  inPages,
} from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { MergePosition } from './merge-position';

export interface ProfileDocument {
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  /** Seals all data of the profile. Destroying it erases the profile. */
  readonly kid: string;
  readonly createdAt: Date;
}

/** As stored. Attributes may have megabytes, so only who needs them reads them. */
export interface FullProfile extends ProfileDocument {
  /** Version of the attributes, for concurrent writers. */
  readonly v: number;
  readonly attributes?: string;
  readonly merged?: MergePosition;
  /** No profile: it keeps one from being created. */
  readonly precluded?: true;
}

type FoundProfile = ProfileDocument & Pick<FullProfile, 'precluded'>;

export interface MergedAttributes {
  readonly profile: FullProfile;
  readonly attributes: string;
  readonly merged: MergePosition;
}

const WITHOUT_ATTRIBUTES = { _id: 1, ws: 1, mpid: 1, kid: 1, createdAt: 1, precluded: 1 } as const;

export class ProfilesStore {
  private readonly profiles: Collection<FullProfile>;
  private readonly loader: DocumentLoader<FullProfile, keyof FoundProfile>;

  constructor(connection: Connection) {
    this.profiles = declareCollection(connection, 'profiles', [{ fields: { ws: 1, kid: 1 } }]);
    this.loader = new DocumentLoader(this.profiles, WITHOUT_ATTRIBUTES);
  }

  /** False: it is precluded. */
  async create(ws: string, mpid: string, kid: string, createdAt: Date): Promise<boolean> {
    return isInserted(this.profiles.insertOne({ _id: profileKey(ws, mpid), ws, mpid, kid, createdAt, v: 0 }));
  }

  /**
   * Keeps a profile that does not exist from being created by a call that is late, until `removeData`. False: it exists.
   * Idempotent.
   */
  async preclude(ws: string, mpid: string, kid: string): Promise<boolean> {
    const here = { _id: profileKey(ws, mpid), ws, precluded: true } as const;
    return isInserted(this.profiles.updateOne(here, { $setOnInsert: { mpid, kid } }, { upsert: true }));
  }

  async find(ws: string, mpids: readonly string[]): Promise<ProfileDocument[]> {
    const ids = mpids.map((mpid) => profileKey(ws, mpid));
    return (await this.loader.loadMany(ids, ws)).filter(isProfile);
  }

  /** By `<ws>:<mpid>`, in any workspace. Data of a profile that is missed would be dropped, so it looks twice. */
  findAll(ids: readonly string[]): Promise<ProfileDocument[]> {
    return collected(
      this.readCurrent(ids, (page) =>
        this.profiles.find<FoundProfile>({ _id: { $in: page } }, { projection: WITHOUT_ATTRIBUTES }),
      ),
    );
  }

  /** As `findAll`. Memory holds them all. */
  findAllInFull(ids: readonly string[]): Promise<FullProfile[]> {
    return collected(this.readAllInFull(ids));
  }

  /** As `findAll`. Memory holds one answer of the server: one page of small profiles, or 16 MiB. */
  readAllInFull(ids: readonly string[]): AsyncGenerator<FullProfile> {
    // With as many as a page holds, the server would keep the cursor for one more answer without a profile.
    return this.readCurrent(ids, (page) => this.profiles.find({ _id: { $in: page } }, { batchSize: page.length + 1 }));
  }

  async findByKeys(ws: string, kids: readonly string[]): Promise<ProfileDocument[]> {
    const found = await findInPages(kids, (page) =>
      this.profiles.find<FoundProfile>({ ws, kid: { $in: page } }, { projection: WITHOUT_ATTRIBUTES }).toArray(),
    );
    return found.filter(isProfile);
  }

  /** False: some profiles were changed by another writer, or are gone. */
  async replaceAttributes(changed: readonly MergedAttributes[]): Promise<boolean> {
    let matched = 0;
    for (const page of inPages(changed)) {
      const writes = page.map(({ profile: { _id, ws, v }, attributes, merged }) => ({
        updateOne: { filter: { _id, ws, v }, update: { $set: { attributes, merged, v: v + 1 } } },
      }));
      matched += (await this.profiles.bulkWrite(writes, { ordered: false })).matchedCount;
    }
    return matched === changed.length;
  }

  async removeData(ws: string, mpid: string): Promise<void> {
    await this.profiles.deleteOne({ _id: profileKey(ws, mpid), ws });
  }

  /** What a crash between `preclude` and `removeData` left. */
  async removePrecluded(ws: string, kids: readonly string[]): Promise<void> {
    for (const page of inPages(kids)) await this.profiles.deleteMany({ ws, kid: { $in: page }, precluded: true });
  }

  private async *readCurrent<P extends FoundProfile>(
    ids: readonly string[],
    find: (page: string[]) => AsyncIterable<P>,
  ): AsyncGenerator<P> {
    const missing = new Set(ids);
    for await (const profile of inTurn(ids, find)) {
      missing.delete(profile._id);
      if (isProfile(profile)) yield profile;
    }
    if (missing.size === 0) return;
    // Of each: they may lie on several shards.
    await Promise.all(
      [...missing].map((_id) => awaitCurrentReads(this.profiles, { _id, ws: _id.slice(0, _id.lastIndexOf(':')) })),
    );
    for await (const profile of inTurn([...missing], find)) if (isProfile(profile)) yield profile;
  }
}

const isProfile = ({ precluded }: Pick<FullProfile, 'precluded'>): boolean => !precluded;

/** False: a document with this id stands. */
async function isInserted(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    return false;
  }
}

async function* inTurn<P>(ids: readonly string[], find: (page: string[]) => AsyncIterable<P>): AsyncGenerator<P> {
  for (const page of inPages(ids)) yield* find(page);
}

async function collected<P>(profiles: AsyncIterable<P>): Promise<P[]> {
  const all: P[] = [];
  for await (const profile of profiles) all.push(profile);
  return all;
}

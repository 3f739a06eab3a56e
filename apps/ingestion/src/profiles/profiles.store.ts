import { profileKey } from '@opendsr-service/contracts';
import { awaitCurrentReads, DocumentLoader } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import { findInPages, inPages } from '../in-pages';
import type { MergePosition } from './merge-position';

export interface ProfileDocument {
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  /** Seals all data of the profile. Destroying it erases the profile. */
  readonly kid: string;
  readonly createdAt: Date;
  /** Version of the attributes, for concurrent writers. */
  readonly v: number;
  readonly attributes?: string;
  readonly merged?: MergePosition;
}

export interface MergedAttributes {
  readonly profile: ProfileDocument;
  readonly attributes: string;
  readonly merged: MergePosition;
}

const profileSchema = new Schema(
  { _id: String, ws: String, mpid: String, kid: String },
  { strict: false, versionKey: false, autoIndex: false },
);
profileSchema.index({ ws: 1, kid: 1 });

export class ProfilesStore {
  private readonly profiles: Collection<ProfileDocument>;
  private readonly loader: DocumentLoader<ProfileDocument>;

  constructor(connection: Connection) {
    connection.model('Profile', profileSchema, 'profiles');
    this.profiles = connection.collection<ProfileDocument>('profiles');
    this.loader = new DocumentLoader(this.profiles);
  }

  async create(ws: string, mpid: string, kid: string, createdAt: Date): Promise<ProfileDocument> {
    const profile: ProfileDocument = { _id: profileKey(ws, mpid), ws, mpid, kid, createdAt, v: 0 };
    await this.profiles.insertOne(profile);
    return profile;
  }

  find(ws: string, mpids: readonly string[]): Promise<ProfileDocument[]> {
    return this.loader.loadMany(
      mpids.map((mpid) => profileKey(ws, mpid)),
      ws,
    );
  }

  /** By `<ws>:<mpid>`, in any workspace. Data of a profile that is missed would be dropped, so it looks twice. */
  async findAll(ids: readonly string[]): Promise<ProfileDocument[]> {
    const find = (some: readonly string[]) =>
      findInPages(some, (page) => this.profiles.find({ _id: { $in: page } }).toArray());
    const found = await find(ids);
    const known = new Set(found.map(({ _id }) => _id));
    const missing = ids.filter((id) => !known.has(id));
    const [one] = missing;
    if (one === undefined) return found;
    await awaitCurrentReads(this.profiles, { _id: one, ws: one.slice(0, one.lastIndexOf(':')) });
    return [...found, ...(await find(missing))];
  }

  findByKeys(ws: string, kids: readonly string[]): Promise<ProfileDocument[]> {
    return findInPages(kids, (page) => this.profiles.find({ ws, kid: { $in: page } }).toArray());
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
}

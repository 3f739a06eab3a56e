import { profileKey } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection } from 'mongoose';

/** A person as one workspace knows them. */
export interface ProfileDocument {
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  /** The key under which everything of this person is sealed, and with which it is erased. */
  readonly kid: string;
  readonly createdAt: Date;
  /** Version of the attributes, for writers that race. */
  readonly v: number;
  readonly attributes?: string;
}

const profileSchema = new Schema({ _id: String, ws: String, mpid: String }, { strict: false, versionKey: false, autoIndex: false });

export class ProfilesStore {
  private readonly profiles: Collection<ProfileDocument>;

  constructor(connection: Connection) {
    connection.model('Profile', profileSchema, 'profiles');
    this.profiles = connection.collection<ProfileDocument>('profiles');
  }

  async create(ws: string, mpid: string, kid: string, createdAt: Date): Promise<ProfileDocument> {
    const profile: ProfileDocument = { _id: profileKey(ws, mpid), ws, mpid, kid, createdAt, v: 0 };
    await this.profiles.insertOne(profile);
    return profile;
  }

  async find(ws: string, mpids: readonly string[]): Promise<ProfileDocument[]> {
    return this.profiles.find({ _id: { $in: mpids.map((mpid) => profileKey(ws, mpid)) }, ws }).toArray();
  }

  /** Writes attributes over those of version `v`; false: somebody else was first, or the profile is gone. */
  async replaceAttributes({ _id, ws, v }: ProfileDocument, attributes: string): Promise<boolean> {
    const result = await this.profiles.updateOne({ _id, ws, v }, { $set: { attributes, v: v + 1 } });
    return result.matchedCount === 1;
  }

  async remove(ws: string, mpid: string): Promise<void> {
    await this.profiles.deleteOne({ _id: profileKey(ws, mpid), ws });
  }
}

import { duplicateKey } from '@opendsr-service/storage';
import type { IdentityTypeName } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection } from 'mongoose';

/** An identity and the profile that owns it. Its value shows only as a blind index, in the `_id`, and sealed. */
export interface IdentityDocument {
  /** `<ws>:<blind index of type and value>`: the index of `_id` is what makes an identity have one owner. */
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  readonly type: IdentityTypeName;
  readonly sealed: string;
}

const identitySchema = new Schema({ _id: String, ws: String, mpid: String }, { strict: false, versionKey: false, autoIndex: false });
identitySchema.index({ ws: 1, mpid: 1 });

/** Which identity belongs to which profile. */
export class IdentitiesStore {
  private readonly identities: Collection<IdentityDocument>;

  constructor(connection: Connection) {
    connection.model('Identity', identitySchema, 'identities');
    this.identities = connection.collection<IdentityDocument>('identities');
  }

  /** Those of the identities that somebody owns. */
  async find(ws: string, ids: readonly string[]): Promise<IdentityDocument[]> {
    return this.identities.find({ _id: { $in: [...ids] }, ws }).toArray();
  }

  /** All identities of these profiles. */
  async findOf(ws: string, mpids: readonly string[]): Promise<IdentityDocument[]> {
    return this.identities.find({ ws, mpid: { $in: [...mpids] } }).toArray();
  }

  /** Gives an identity its owner; false: it has one already. */
  async attach(identity: IdentityDocument): Promise<boolean> {
    try {
      await this.identities.insertOne(identity);
      return true;
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      return false;
    }
  }

  /** Frees an identity whose owner is gone. */
  async free({ _id, ws, mpid }: IdentityDocument): Promise<void> {
    await this.identities.deleteOne({ _id, ws, mpid });
  }

  async removeOf(ws: string, mpid: string): Promise<void> {
    await this.identities.deleteMany({ ws, mpid });
  }
}

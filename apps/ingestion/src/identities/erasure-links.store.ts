import { profileKey, type IdentityTypeName } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection } from 'mongoose';
import { findInPages, inPages } from '../in-pages';
import type { IdentityDocument } from './identities.store';
import type { SubjectRef } from './matching';

interface ErasureLinkDocument extends SubjectRef {
  /** `<ws>:<mpid>` of the person; for one of the identities, its `_id` behind it. */
  readonly _id: string;
  readonly ws: string;
  /** The `_id` under which the identity was kept. Absent where the person is kept as such, who may have none. */
  readonly identityId?: string;
  readonly type?: IdentityTypeName;
}

export type IdentityLink = ErasureLinkDocument & Required<Pick<ErasureLinkDocument, 'identityId' | 'type'>>;

const linkSchema = new Schema<ErasureLinkDocument>(
  { _id: String, ws: String, mpid: String, identityId: String },
  { strict: false, versionKey: false, autoIndex: false },
);
linkSchema.index({ ws: 1, mpid: 1 });
linkSchema.index({ ws: 1, identityId: 1 });

/**
 * Which identities led to the people of erasures that are not completed: a further erasure of the same people finds them here, when
 * their profiles and identities are gone, or somebody else's.
 */
export class ErasureLinks {
  private readonly links: Collection<ErasureLinkDocument>;

  constructor(connection: Connection) {
    connection.model<ErasureLinkDocument>('ErasureLink', linkSchema, 'erasureLinks');
    this.links = connection.collection<ErasureLinkDocument>('erasureLinks');
  }

  /** Keeps a person and what links there, besides what is kept already. */
  async add(ws: string, { mpid, kid }: SubjectRef, identities: readonly IdentityDocument[]): Promise<void> {
    const own: ErasureLinkDocument = { _id: profileKey(ws, mpid), ws, mpid, kid };
    const links = [
      own,
      ...identities.map(({ _id, type }) => ({ ...own, _id: `${own._id}:${_id}`, identityId: _id, type })),
    ];
    for (const page of inPages(links)) {
      const writes = page.map(({ _id, ...link }) => ({
        updateOne: { filter: { _id, ws }, update: { $setOnInsert: link }, upsert: true },
      }));
      await this.links.bulkWrite(writes, { ordered: false });
    }
  }

  /** What led there from these identityIds. */
  async find(ws: string, identityIds: readonly string[]): Promise<IdentityLink[]> {
    return (
      await findInPages(identityIds, (page) => this.links.find({ ws, identityId: { $in: page } }).toArray())
    ).filter(isOfIdentity);
  }

  /** Everything that is kept of these people. */
  findByProfiles(ws: string, mpids: readonly string[]): Promise<ErasureLinkDocument[]> {
    return findInPages(mpids, (page) => this.links.find({ ws, mpid: { $in: page } }).toArray());
  }

  async removeByProfile(ws: string, mpid: string): Promise<void> {
    await this.links.deleteMany({ ws, mpid });
  }
}

const isOfIdentity = (link: ErasureLinkDocument): link is IdentityLink =>
  link.identityId !== undefined && link.type !== undefined;

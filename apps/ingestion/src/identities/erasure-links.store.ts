import { profileKey, type IdentityTypeName } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection } from 'mongoose';
import { findInPages } from '../in-pages';
import { insertMissing } from '../paged-writes.store';
import type { IdentityDocument } from './identities.store';
import type { SubjectRef } from './matching';

interface ErasureLinkDocument extends SubjectRef {
  /** `<ws>:<mpid>` of the subject; for an identity, followed by the `_id` of the identity. */
  readonly _id: string;
  readonly ws: string;
  /** Absent in the link of the subject itself, who may have no identity. */
  readonly identityId?: string;
  readonly type?: IdentityTypeName;
}

type IdentityLink = ErasureLinkDocument & Required<Pick<ErasureLinkDocument, 'identityId' | 'type'>>;

const linkSchema = new Schema<ErasureLinkDocument>(
  { _id: String, ws: String, mpid: String, identityId: String },
  { strict: false, versionKey: false, autoIndex: false },
);
linkSchema.index({ ws: 1, mpid: 1 });
linkSchema.index({ ws: 1, identityId: 1 });

/** The identities of subjects during their erasure, by which a second erasure still finds the subjects. */
export class ErasureLinks {
  private readonly links: Collection<ErasureLinkDocument>;

  constructor(connection: Connection) {
    connection.model<ErasureLinkDocument>('ErasureLink', linkSchema, 'erasureLinks');
    this.links = connection.collection<ErasureLinkDocument>('erasureLinks');
  }

  async add(ws: string, { mpid, kid }: SubjectRef, identities: readonly IdentityDocument[]): Promise<void> {
    const own: ErasureLinkDocument = { _id: profileKey(ws, mpid), ws, mpid, kid };
    const links = [
      own,
      ...identities.map(({ _id, type }) => ({ ...own, _id: `${own._id}:${_id}`, identityId: _id, type })),
    ];
    await insertMissing(this.links, links);
  }

  async find(ws: string, identityIds: readonly string[]): Promise<IdentityLink[]> {
    return (
      await findInPages(identityIds, (page) => this.links.find({ ws, identityId: { $in: page } }).toArray())
    ).filter(isOfIdentity);
  }

  findByProfiles(ws: string, mpids: readonly string[]): Promise<ErasureLinkDocument[]> {
    return findInPages(mpids, (page) => this.links.find({ ws, mpid: { $in: page } }).toArray());
  }

  async removeByProfile(ws: string, mpid: string): Promise<void> {
    await this.links.deleteMany({ ws, mpid });
  }
}

const isOfIdentity = (link: ErasureLinkDocument): link is IdentityLink =>
  link.identityId !== undefined && link.type !== undefined;

import { profileKey, type IdentityTypeName } from '@opendsr-service/contracts';
import { declareCollection, findInPages, insertMissing } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { OwnedIdentity } from './identities.store';
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

/** The identities of subjects during their erasure, by which a second erasure still finds the subjects. */
export class ErasureLinks {
  private readonly links: Collection<ErasureLinkDocument>;

  constructor(connection: Connection) {
    this.links = declareCollection(connection, 'erasureLinks', [
      { fields: { ws: 1, mpid: 1 } },
      { fields: { ws: 1, identityId: 1 } },
    ]);
  }

  async add(ws: string, { mpid, kid }: SubjectRef, identities: readonly OwnedIdentity[]): Promise<void> {
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

import { profileKey, type IdentityTypeName } from '@opendsr-service/contracts';
import { Schema, type Collection, type Connection } from 'mongoose';
import { findInPages, inPages } from '../in-pages';
import type { IdentityDocument } from './identities.store';
import type { Reached } from './matching';

interface LeadDocument extends Reached {
  /** `<ws>:<mpid>` of the person; for one of the identities, its `_id` behind it. */
  readonly _id: string;
  readonly ws: string;
  /** The `_id` under which the identity was kept. Absent where the person is kept as such, who may have none. */
  readonly place?: string;
  readonly type?: IdentityTypeName;
}

export type IdentityLead = LeadDocument & Required<Pick<LeadDocument, 'place' | 'type'>>;

const leadSchema = new Schema<LeadDocument>(
  { _id: String, ws: String, mpid: String, place: String },
  { strict: false, versionKey: false, autoIndex: false },
);
leadSchema.index({ ws: 1, mpid: 1 });
leadSchema.index({ ws: 1, place: 1 });

/**
 * Which identities led to the people of erasures that are not completed: a further erasure of the same people finds them here, when
 * their profiles and identities are gone, or somebody else's.
 */
export class ErasureLeads {
  private readonly leads: Collection<LeadDocument>;

  constructor(connection: Connection) {
    connection.model<LeadDocument>('ErasureLead', leadSchema, 'erasureLeads');
    this.leads = connection.collection<LeadDocument>('erasureLeads');
  }

  /** Keeps a person and what leads there, besides what is kept already. */
  async keep(ws: string, { mpid, kid }: Reached, identities: readonly IdentityDocument[]): Promise<void> {
    const own: LeadDocument = { _id: profileKey(ws, mpid), ws, mpid, kid };
    const leads = [own, ...identities.map(({ _id, type }) => ({ ...own, _id: `${own._id}:${_id}`, place: _id, type }))];
    for (const page of inPages(leads)) {
      const writes = page.map(({ _id, ...lead }) => ({
        updateOne: { filter: { _id, ws }, update: { $setOnInsert: lead }, upsert: true },
      }));
      await this.leads.bulkWrite(writes, { ordered: false });
    }
  }

  /** What led there from these places. */
  async find(ws: string, places: readonly string[]): Promise<IdentityLead[]> {
    return (await findInPages(places, (page) => this.leads.find({ ws, place: { $in: page } }).toArray())).filter(
      isOfIdentity,
    );
  }

  /** Everything that is kept of these people. */
  findOf(ws: string, mpids: readonly string[]): Promise<LeadDocument[]> {
    return findInPages(mpids, (page) => this.leads.find({ ws, mpid: { $in: page } }).toArray());
  }

  async removeOf(ws: string, mpid: string): Promise<void> {
    await this.leads.deleteMany({ ws, mpid });
  }
}

const isOfIdentity = (lead: LeadDocument): lead is IdentityLead => lead.place !== undefined && lead.type !== undefined;

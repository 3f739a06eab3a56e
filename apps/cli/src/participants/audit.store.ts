import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';

/** Something that an operator did, and who answers for it. `ws` and `srid` are empty where it was about no request. */
interface AuditEntry {
  readonly ws: string;
  readonly srid: string;
  readonly action: 'participant-waived' | 'identities-shown' | 'parked-value-shown' | 'parked-drop-asked';
  readonly participant?: string;
  /** The id of a parked record. */
  readonly record?: string;
  readonly because?: string;
  readonly by: string;
  readonly at: Date;
}

/** The operators’ record of what they did; only ever added to, in the database of what it is about. */
export class AuditStore {
  private readonly entries: Collection<AuditEntry & { readonly _id: string }>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  async add(entry: AuditEntry): Promise<void> {
    await this.entries.insertOne({ _id: randomUUID(), ...entry });
  }
}

import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';

/** Something that an operator did about a request, and who answers for it. */
export interface AuditEntry {
  readonly ws: string;
  readonly srid: string;
  readonly participant: string;
  readonly action: 'participant-waived';
  readonly by: string;
  readonly at: Date;
}

/** The operators' record of what they did; only ever added to. */
export class AuditStore {
  private readonly entries: Collection<AuditEntry & { readonly _id: string }>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  async add(entry: AuditEntry): Promise<void> {
    await this.entries.insertOne({ _id: randomUUID(), ...entry });
  }
}

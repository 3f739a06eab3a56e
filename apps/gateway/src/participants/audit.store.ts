import { randomUUID } from 'node:crypto';
import { Schema, type Collection, type Connection } from 'mongoose';

/** That somebody asked whom a request is about, and whether he was told. It names who asked, never what was read. */
export interface AuditDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly participant: string;
  readonly action: 'identities-read' | 'identities-refused';
  readonly at: Date;
  /** Of the HTTP request, as the log has it. */
  readonly requestId: string;
}

const auditSchema = new Schema<AuditDocument>(
  { _id: String, ws: String, srid: String },
  { strict: false, versionKey: false },
);
auditSchema.index({ ws: 1, srid: 1 });

/** The audit trail of identities (D8): it is only ever added to. */
export class AuditStore {
  private readonly audit: Collection<AuditDocument>;

  constructor(connection: Connection) {
    this.audit = connection.model<AuditDocument>('Audit', auditSchema, 'audit')
      .collection as unknown as Collection<AuditDocument>;
  }

  /** Durable when it resolves. */
  async append(entry: Omit<AuditDocument, '_id'>): Promise<void> {
    await this.audit.insertOne({ _id: randomUUID(), ...entry });
  }
}

import { randomUUID } from 'node:crypto';
import { declareCollection, optionalIndex } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

/** Names the participant that asked, never what was read. */
export interface AuditDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly participant: string;
  readonly action: 'identities-read' | 'identities-refused';
  readonly at: Date;
  /** Id of the HTTP request. */
  readonly requestId: string;
}

/** The append-only audit trail of identities (decision 8). */
export class AuditStore {
  private readonly audit: Collection<AuditDocument>;

  constructor(connection: Connection) {
    this.audit = declareCollection(connection, 'audit', [
      // Of one request: those of participants, which have no `by`, apart from those of operators.
      { fields: { ws: 1, srid: 1, by: 1, at: -1 } },
      // For the leaves of what operators did: no entry of a participant is in it.
      { fields: { at: 1 }, where: 'by' },
      // For the lists of operators, where their API is served.
      { fields: { at: -1, _id: -1 }, ...optionalIndex },
      { fields: { ws: 1, at: -1, _id: -1 }, ...optionalIndex },
    ]);
  }

  /** Durable when it resolves. */
  async append(entry: Omit<AuditDocument, '_id'>): Promise<void> {
    await this.audit.insertOne({ _id: randomUUID(), ...entry });
  }
}

import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';

/** An action of an operator. `ws` and `srid` are empty if it concerns no request. */
interface AuditEntry {
  readonly ws: string;
  readonly srid: string;
  readonly action:
    | 'participant-waived'
    | 'identities-shown'
    | 'parked-value-shown'
    | 'parked-drop-asked'
    | 'deadline-extension-asked';
  readonly participant?: string;
  /** The id of a parked record. */
  readonly record?: string;
  readonly because?: string;
  readonly by: string;
  readonly at: Date;
}

/** The append-only audit trail of operators, in the gateway's database: one list for all that they do. */
export class AuditStore {
  private readonly entries: Collection<AuditEntry & { readonly _id: string }>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  /** Durable when it resolves, with the id of the entry. */
  async add(entry: AuditEntry): Promise<string> {
    const _id = randomUUID();
    await this.entries.insertOne({ _id, ...entry });
    return _id;
  }
}

import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';

/** A change of a workspace, its keys or its participants, or of parked records. */
type ChangeAction =
  | ('parked-redrive-asked' | 'parked-drop-asked')
  | ('api-key-create-asked' | 'api-key-rotation-asked' | 'api-key-revocation-asked')
  | ('participant-add-asked' | 'participant-removal-asked')
  | ('workspace-create-asked' | 'workspace-calendar-asked' | 'workspace-class-asked')
  | ('workspace-after-erasure-asked' | 'workspace-device-matching-asked');

/** An action of an operator. `ws` and `srid` are empty if it concerns no request. */
export interface AuditEntry {
  readonly ws: string;
  readonly srid: string;
  readonly action:
    | ChangeAction
    | ('participant-waived' | 'identities-shown' | 'parked-value-shown' | 'deadline-extension-asked');
  readonly participant?: string;
  /** The id of a parked record. */
  readonly record?: string;
  /** The service whose parked records are meant. */
  readonly service?: string;
  /** An API key, never its secret. */
  readonly key?: string;
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

import type { Role } from '@opendsr-service/operator-access';
import type { Collection, Connection } from 'mongoose';

/** What an operator has asked for by the API, before it was done. */
export interface OperatorAction {
  readonly ws: string;
  readonly srid: string;
  readonly action:
    | ('deadline-extension-asked' | 'request-cancel-asked' | 'callback-replay-asked' | 'participant-waiver-asked')
    | ('identities-reveal-asked' | 'identities-reveal-approved' | 'identities-revealed');
  /** The subject of the token. */
  readonly by: string;
  readonly role: Role;
  /** Sealed under the key of the request. */
  readonly reason: string;
  readonly at: Date;
  /** Id of the HTTP request. */
  readonly requestId: string;
  readonly delivery?: string;
  readonly participant?: string;
  /** The subject of who approved it. */
  readonly approvedBy?: string;
}

/** An entry of the audit trail. */
export type OperatorEntry = OperatorAction & { readonly _id: string };

/** An entry of anybody: an operator, by the API or by `dsr`, or a participant. */
export type AuditedEntry = Pick<OperatorEntry, '_id' | 'ws' | 'srid' | 'at'> &
  Partial<Omit<OperatorEntry, 'action'>> & {
    readonly action: string;
    /** Why, in the words of who uses `dsr`. */
    readonly because?: string;
  };

/** The part of the append-only audit trail that operators write by the API. */
export class OperatorAuditStore {
  private readonly entries: Collection<OperatorEntry>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  /** Durable when it resolves. */
  async add(id: string, action: OperatorAction): Promise<void> {
    await this.entries.insertOne({ _id: id, ...action });
  }

  /** All that is noted about a request, by anybody. */
  allOfRequest(ws: string, srid: string): Promise<readonly AuditedEntry[]> {
    return this.entries.find({ ws, srid }).toArray();
  }

  /** What was asked for about a request by the API, the earliest first. */
  async ofRequest(ws: string, srid: string): Promise<readonly OperatorEntry[]> {
    return (await this.allOfRequest(ws, srid))
      .filter((entry): entry is OperatorEntry => entry.reason !== undefined && entry.role !== undefined)
      .sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}

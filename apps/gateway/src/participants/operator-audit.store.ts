import type { Role } from '@opendsr-service/operator-access';
import type { Collection, Connection } from 'mongoose';

/** What an operator has asked for by the API, before it was done. */
export interface OperatorAction {
  readonly ws: string;
  readonly srid: string;
  readonly action:
    'deadline-extension-asked' | 'request-cancel-asked' | 'callback-replay-asked' | 'participant-waiver-asked';
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
}

type Entry = OperatorAction & { readonly _id: string };

/** The part of the append-only audit trail that operators write by the API. */
export class OperatorAuditStore {
  private readonly entries: Collection<Entry>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  /** Durable when it resolves. */
  async add(id: string, action: OperatorAction): Promise<void> {
    await this.entries.insertOne({ _id: id, ...action });
  }

  /** What was asked for about a request by the API, the earliest first. */
  async ofRequest(ws: string, srid: string): Promise<readonly Entry[]> {
    const found = await this.entries.find({ ws, srid }).toArray();
    return found
      .filter(({ reason, role }) => reason !== undefined && role !== undefined)
      .sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}

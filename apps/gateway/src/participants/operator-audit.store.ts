import { randomUUID } from 'node:crypto';
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

/** What an operator has asked for by the API about the service itself, where no key of a request can seal the reason. */
export interface ServiceAction extends Pick<OperatorAction, 'ws' | 'srid' | 'by' | 'role' | 'at' | 'requestId'> {
  readonly action:
    | ('parked-redrive-asked' | 'parked-drop-asked')
    | ('api-key-create-asked' | 'api-key-rotation-asked' | 'api-key-revocation-asked');
  /** Why, in clear; also in the words of who uses `dsr`. */
  readonly because: string;
  /** The id of a parked record. */
  readonly record?: string;
  /** The service whose records are meant. */
  readonly service?: string;
  /** An API key, never its secret. */
  readonly key?: string;
}

/** What an operator has asked for or was shown by `dsr`, which knows no role. `ws` and `srid` are empty if it concerns no request. */
export interface ToolAction
  extends
    Pick<OperatorAction, 'ws' | 'srid' | 'by' | 'at' | 'participant'>,
    Partial<Pick<ServiceAction, 'because' | 'record' | 'service' | 'key'>> {
  readonly action:
    | ServiceAction['action']
    | ('deadline-extension-asked' | 'participant-waived' | 'identities-shown' | 'parked-value-shown')
    | ('participant-add-asked' | 'participant-removal-asked')
    | ('workspace-create-asked' | 'workspace-calendar-asked' | 'workspace-class-asked')
    | ('workspace-after-erasure-asked' | 'workspace-device-matching-asked');
}

/** An entry of the audit trail. */
export type OperatorEntry = OperatorAction & { readonly _id: string };

/** An entry of anybody: an operator, by the API or by `dsr`, or a participant. */
export type AuditedEntry = Pick<OperatorEntry, '_id' | 'ws' | 'srid' | 'at'> &
  Partial<Omit<OperatorEntry, 'action'>> &
  Partial<Pick<ServiceAction, 'because' | 'record' | 'service' | 'key'>> & { readonly action: string };

/** Which entries, and behind which of them. */
export interface AuditStretch {
  /** Absent: all, with what concerns no workspace. */
  readonly workspaces?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly after?: { readonly at: Date; readonly id: string } | undefined;
}

/** The earliest and latest dates that there are. */
const EARLIEST = new Date(-8.64e15);
const LATEST = new Date(8.64e15);

/** Of what operators noted about one request. */
const MOST_OF_OPERATORS = 1_000;

/** In one command. */
const atMost = (limit: number) => ({ limit, batchSize: limit });

/** Notes what an operator does by `dsr`. Durable when it resolves, with the id of the entry. */
export async function addEntry(connection: Connection, action: ToolAction): Promise<string> {
  const _id = randomUUID();
  await connection.collection<{ _id: string }>('audit').insertOne({ _id, ...action });
  return _id;
}

/** The part of the append-only audit trail that operators write by the API. */
export class OperatorAuditStore {
  private readonly entries: Collection<OperatorEntry>;

  constructor(connection: Connection) {
    this.entries = connection.collection('audit');
  }

  /** Durable when it resolves. */
  async addOfService(id: string, action: ServiceAction): Promise<void> {
    await this.entries.insertOne({ _id: id, ...action } as never);
  }

  /** Durable when it resolves. */
  async add(id: string, action: OperatorAction): Promise<void> {
    await this.entries.insertOne({ _id: id, ...action });
  }

  /** What operators noted about a request, by the API or by `dsr`; only these actions, if any are named. */
  ofOperators(ws: string, srid: string, actions?: readonly AuditedEntry['action'][]): Promise<readonly AuditedEntry[]> {
    const action = actions && { action: { $in: [...actions] as OperatorEntry['action'][] } };
    // Every name: a range, which leaves the entries of participants out of what the index reads.
    const wanted = { ws, srid, by: { $gte: '' }, ...action };
    return this.entries.find(wanted, { sort: { by: 1, at: -1 }, ...atMost(MOST_OF_OPERATORS) }).toArray();
  }

  /** When participants asked for the identities of a request, the newest first, at most so many: some ask again and again. */
  ofParticipants(ws: string, srid: string, limit: number): Promise<readonly AuditedEntry[]> {
    const wanted = { ws, srid, by: null as never };
    return this.entries.find(wanted, { sort: { at: -1 }, ...atMost(limit) }).toArray();
  }

  /** The next entries of a stretch, the newest first. Each query reads an index in its order. */
  async next({ workspaces, from = EARLIEST, to = LATEST, after }: AuditStretch, limit: number) {
    const of = workspaces ? { ws: { $in: [...workspaces] } } : {};
    const find = (dates: object, most: number): Promise<AuditedEntry[]> =>
      this.entries.find({ ...of, ...dates }, { sort: { at: -1, _id: -1 }, limit: most }).toArray();
    if (!after) return find({ at: { $gte: from, $lte: to } }, limit);
    // Many share a time: the rest of that time comes first.
    const sameTime = await find({ at: after.at, _id: { $lt: after.id } }, limit);
    if (sameTime.length >= limit) return sameTime;
    return [...sameTime, ...(await find({ at: { $gte: from, $lt: after.at } }, limit - sameTime.length))];
  }

  /** What was asked for about a request by the API, the earliest first. */
  async ofRequest(ws: string, srid: string): Promise<readonly OperatorEntry[]> {
    return (await this.ofOperators(ws, srid))
      .filter((entry): entry is OperatorEntry => entry.reason !== undefined && entry.role !== undefined)
      .sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}

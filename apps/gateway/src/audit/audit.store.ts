import { randomUUID } from 'node:crypto';
import { declareCollection, optionalIndex } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type {
  AuditEntry,
  OperatorAction,
  OperatorEntry,
  ParticipantAction,
  ServiceAction,
  ToolAction,
} from './audit-entry';

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
  const id = randomUUID();
  await new AuditStore(connection).add(id, action);
  return id;
}

/** The append-only audit trail: what operators asked for, and which participants asked for identities (decision 8). */
export class AuditStore {
  private readonly entries: Collection<AuditEntry>;

  constructor(connection: Connection) {
    this.entries = declareCollection(connection, 'audit', [
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
  async add(id: string, action: OperatorAction | ServiceAction | ToolAction | ParticipantAction): Promise<void> {
    await this.entries.insertOne({ _id: id, ...action });
  }

  /** What operators noted about a request, by the API or by `dsr`; only these actions, if any are named. */
  ofOperators(ws: string, srid: string, actions?: readonly string[]): Promise<readonly AuditEntry[]> {
    const action = actions && { action: { $in: [...actions] } };
    // Every name: a range, which leaves the entries of participants out of what the index reads.
    const wanted = { ws, srid, by: { $gte: '' }, ...action };
    return this.entries.find(wanted, { sort: { by: 1, at: -1 }, ...atMost(MOST_OF_OPERATORS) }).toArray();
  }

  /** When participants asked for the identities of a request, the newest first, at most so many: some ask again and again. */
  ofParticipants(ws: string, srid: string, limit: number): Promise<readonly AuditEntry[]> {
    const wanted = { ws, srid, by: null as never };
    return this.entries.find(wanted, { sort: { at: -1 }, ...atMost(limit) }).toArray();
  }

  /** The next entries of a stretch, the newest first. Each query reads an index in its order. */
  async next({ workspaces, from = EARLIEST, to = LATEST, after }: AuditStretch, limit: number) {
    const of = workspaces ? { ws: { $in: [...workspaces] } } : {};
    const find = (dates: object, most: number): Promise<AuditEntry[]> =>
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

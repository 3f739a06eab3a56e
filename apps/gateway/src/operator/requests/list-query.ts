import { REGULATIONS, REQUEST_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { badRequest, invalid, type Fault } from '@opendsr-service/edge';
import { parseDurationMs } from '@opendsr-service/config';
import type { RequestDocument } from '../../admission/request.document';
import { parseCursor } from './cursor';
import { LIST_ORDERS, type ListOrder, type Place } from './list-order';

/** What a list shows of a request. */
export type ListedRequest = Pick<
  RequestDocument,
  | ('_id' | 'ws' | 'srid' | 'status' | 'type' | 'regulation' | 'countedBy' | 'controllerId' | 'receivedAt')
  | ('expectedAt' | 'legalDueAt' | 'dueBy' | 'atRiskAt' | 'extendedUntil' | 'completedAt' | 'cancelledAt')
>;

/** What a list is asked for. */
export interface ListQuery {
  readonly workspace: string | undefined;
  readonly id: string | undefined;
  readonly controller: string | undefined;
  readonly group: string | undefined;
  readonly status: string | undefined;
  readonly type: string | undefined;
  readonly regulation: string | undefined;
  readonly receivedFrom: Date | undefined;
  readonly receivedTo: Date | undefined;
  readonly dueBy: Date | undefined;
  readonly order: ListOrder;
  readonly limit: number;
  readonly after: Place | undefined;
}

export const PAGE = 50;
export const LARGEST_PAGE = 200;
const MOST_CHARACTERS = 512;
const NAMES = [
  ...['workspace', 'id', 'controller', 'group', 'status', 'type', 'regulation', 'received_from', 'received_to'],
  ...['overdue', 'due_within', 'order', 'limit', 'cursor'],
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads the parameters of a list. Throws a 400 that names every fault. */
export function parseListQuery(parameters: Readonly<Record<string, unknown>>, now: Date): ListQuery {
  const reader = new Reader(parameters);
  const due = dueByOf(reader, now);
  const order = reader.word('order', LIST_ORDERS) ?? (due ? 'due' : 'received');
  const cursor = reader.text('cursor');
  const query: ListQuery = {
    workspace: reader.text('workspace'),
    id: reader.matching('id', UUID, 'a UUID')?.toLowerCase(),
    ...{ controller: reader.text('controller'), group: reader.text('group') },
    status: reader.word('status', REQUEST_STATUSES),
    type: reader.word('type', REQUEST_TYPES),
    regulation: reader.word('regulation', REGULATIONS),
    ...{ receivedFrom: reader.time('received_from'), receivedTo: reader.time('received_to') },
    ...{ dueBy: due, order },
    limit: limitOf(reader),
    after: cursor === undefined ? undefined : parseCursor(cursor, order),
  };
  checkTogether(reader, query, cursor);
  reader.end();
  return query;
}

function checkTogether(reader: Reader, query: ListQuery, cursor: string | undefined): void {
  if (query.dueBy && query.order !== 'due') reader.fault('order', 'must be due where overdue or due_within is given');
  if (cursor !== undefined && !query.after) reader.fault('cursor', 'is none of a list in this order');
  if (query.group !== undefined && query.workspace === undefined)
    reader.fault('group', 'needs a workspace, because it is known by a hash of each workspace');
}

function dueByOf(reader: Reader, now: Date): Date | undefined {
  const overdue = reader.word('overdue', ['true']);
  const within = reader.text('due_within');
  const withinMs = within === undefined ? undefined : parseDurationMs(within);
  if (within !== undefined && withinMs === undefined)
    reader.fault('due_within', 'must be a duration such as 7d or 48h');
  if (overdue !== undefined && within !== undefined) reader.fault('overdue', 'does not go with due_within');
  if (overdue === undefined && withinMs === undefined) return undefined;
  return new Date(now.getTime() + (withinMs ?? 0));
}

function limitOf(reader: Reader): number {
  const limit = Number(reader.matching('limit', /^\d{1,3}$/, 'a whole number') ?? PAGE);
  if (limit < 1 || limit > LARGEST_PAGE) reader.fault('limit', `must be from 1 to ${LARGEST_PAGE}`);
  return limit;
}

/** Collects the faults of parameters. No message repeats a value. */
class Reader {
  private readonly faults: Fault[] = [];

  constructor(private readonly parameters: Readonly<Record<string, unknown>>) {
    if (Object.keys(parameters).some((name) => !NAMES.includes(name)))
      this.faults.push(invalid('There is a parameter that this list does not know.'));
  }

  text(name: string): string | undefined {
    const value = this.parameters[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS) return value;
    this.fault(name, `must be given once, with 1 to ${MOST_CHARACTERS} characters`);
    return undefined;
  }

  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.text(name);
    const known = words.find((word) => word === value);
    if (value !== undefined && known === undefined) this.fault(name, `must be ${words.join(' or ')}`);
    return known;
  }

  matching(name: string, form: RegExp, kind: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || form.test(value.toLowerCase())) return value;
    this.fault(name, `must be ${kind}`);
    return undefined;
  }

  time(name: string): Date | undefined {
    const value = this.text(name);
    const date = value !== undefined && TIME.test(value) ? new Date(value) : undefined;
    if (value === undefined || (date && !Number.isNaN(date.getTime()))) return date;
    this.fault(name, 'must be a time of RFC 3339');
    return undefined;
  }

  fault(name: string, what: string): void {
    this.faults.push(invalid(`${name} ${what}.`));
  }

  end(): void {
    if (this.faults.length > 0) throw badRequest(this.faults);
  }
}

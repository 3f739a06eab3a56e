import { REGULATIONS, REQUEST_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { parseDurationMs } from '@opendsr-service/config';
import type { RequestDocument } from '../../admission/request.document';
import type { Place } from '../lists/cursor';
import { QueryReader } from '../lists/query-reader';
import { LIST_ORDERS, type ListOrder } from './list-order';

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

const NAMES = [
  ...['workspace', 'id', 'controller', 'group', 'status', 'type', 'regulation', 'received_from', 'received_to'],
  ...['overdue', 'due_within', 'order', 'limit', 'cursor'],
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads the parameters of a list. Throws a 400 that names every fault. */
export function parseListQuery(parameters: Readonly<Record<string, unknown>>, now: Date): ListQuery {
  const reader = new QueryReader(parameters, NAMES);
  const due = dueByOf(reader, now);
  const order = reader.word('order', LIST_ORDERS) ?? (due ? 'due' : 'received');
  const query: ListQuery = {
    workspace: reader.text('workspace'),
    id: reader.matching('id', UUID, 'a UUID')?.toLowerCase(),
    ...{ controller: reader.text('controller'), group: reader.text('group') },
    status: reader.word('status', REQUEST_STATUSES),
    type: reader.word('type', REQUEST_TYPES),
    regulation: reader.word('regulation', REGULATIONS),
    ...{ receivedFrom: reader.time('received_from'), receivedTo: reader.time('received_to') },
    ...{ dueBy: due, order },
    limit: reader.limit(),
    after: reader.cursor(order),
  };
  checkTogether(reader, query);
  reader.end();
  return query;
}

function checkTogether(reader: QueryReader, query: ListQuery): void {
  if (query.dueBy && query.order !== 'due') reader.fault('order', 'must be due where overdue or due_within is given');
  if (query.group !== undefined && query.workspace === undefined)
    reader.fault('group', 'needs a workspace, because it is known by a hash of each workspace');
}

function dueByOf(reader: QueryReader, now: Date): Date | undefined {
  const overdue = reader.word('overdue', ['true']);
  const within = reader.text('due_within');
  const withinMs = within === undefined ? undefined : parseDurationMs(within);
  if (within !== undefined && withinMs === undefined)
    reader.fault('due_within', 'must be a duration such as 7d or 48h');
  if (overdue !== undefined && within !== undefined) reader.fault('overdue', 'does not go with due_within');
  if (overdue === undefined && withinMs === undefined) return undefined;
  return new Date(now.getTime() + (withinMs ?? 0));
}

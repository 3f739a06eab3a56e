import { REGULATIONS, REQUEST_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import type { RequestDocument } from '../../admission/request.document';
import { placeBehind } from '../lists/cursor';
import { readQuery, type QueryParameters, type QueryReader } from '../lists/query-reader';
import { isEndedState, isOpenState, LEGAL_STATES, type LegalState } from './legal-state';

/**
 * `received`: the newest first. `due`: those that have not ended, the earliest legal date first. `ended`: those that have,
 * the last one first.
 */
export const LIST_ORDERS = ['received', 'due', 'ended'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

/** What a list shows of a request. */
export type ListedRequest = Pick<
  RequestDocument,
  | ('_id' | 'ws' | 'srid' | 'status' | 'type' | 'regulation' | 'countedBy' | 'controllerId' | 'receivedAt')
  | ('expectedAt' | 'legalDueAt' | 'dueBy' | 'atRiskAt' | 'extendedUntil' | 'completedAt' | 'cancelledAt')
  | 'callbacksFailing'
>;

/** What a list is asked for. */
export type ListQuery = ReturnType<typeof listQueryOf>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads the parameters of a list. Throws a 400 that names every fault. */
export const parseListQuery = (parameters: QueryParameters, now: Date): ListQuery =>
  readQuery(parameters, (reader) => listQueryOf(reader, now));

function listQueryOf(reader: QueryReader, now: Date) {
  const state = reader.word('legal_state', LEGAL_STATES);
  const isByEnd = isEndedState(state);
  const { dueFrom, dueBy } = dueOf(reader, now, state);
  const endedFrom = before(now, reader.duration('ended_within'));
  const usual = usualOrder({ isByDue: (dueFrom ?? dueBy) !== undefined, isByEnd: isByEnd || endedFrom !== undefined });
  const order = reader.word('order', LIST_ORDERS) ?? usual;
  const query = {
    workspace: reader.text('workspace'),
    id: reader.matching('id', UUID, 'a UUID')?.toLowerCase(),
    ...{ controller: reader.text('controller'), group: reader.text('group') },
    status: reader.word('status', REQUEST_STATUSES),
    type: reader.word('type', REQUEST_TYPES),
    regulation: reader.word('regulation', REGULATIONS),
    receivedFrom: ageOf(reader, now, { time: 'received_from', age: 'received_within' }),
    receivedTo: ageOf(reader, now, { time: 'received_to', age: 'older_than' }),
    /** Those alone that have a failing callback. */
    isFailing: reader.word('callbacks', ['failing']) !== undefined,
    /** Due then or later, and then or before. */
    ...{ dueFrom, dueBy, endedFrom, order },
    legal: state && { state, at: now },
    ...reader.page(order, placeBehind),
  };
  checkTogether(reader, query);
  if (isByEnd && order !== 'ended') reader.fault('order', 'must be ended where legal_state is kept or missed');
  return query;
}

function usualOrder({ isByDue, isByEnd }: Readonly<Record<'isByDue' | 'isByEnd', boolean>>): ListOrder {
  if (isByDue) return 'due';
  return isByEnd ? 'ended' : 'received';
}

function checkTogether(reader: QueryReader, query: ListQuery): void {
  if ((query.dueFrom ?? query.dueBy) && query.order !== 'due')
    reader.fault('order', 'must be due where overdue, due_within or legal_state of what has not ended is given');
  if (query.endedFrom && query.order !== 'ended') reader.fault('order', 'must be ended where ended_within is given');
  if (query.group !== undefined && query.workspace === undefined)
    reader.fault('group', 'needs a workspace, because it is known by a hash of each workspace');
}

/** What is overdue is due before now, and everything else that has not ended from now on. */
function dueOf(reader: QueryReader, now: Date, state: LegalState | undefined) {
  const overdue = reader.word('overdue', ['true', 'false']);
  const withinMs = reader.duration('due_within');
  const isOverdue = overdue === 'true' || state === 'overdue';
  if (overdue !== undefined && state !== undefined) reader.fault('overdue', 'does not go with legal_state');
  if (isOverdue && withinMs !== undefined) reader.fault('due_within', 'does not go with what is overdue');
  if (isOverdue) return { dueFrom: undefined, dueBy: now };
  const within = withinMs === undefined ? undefined : new Date(now.getTime() + withinMs);
  const isNotOverdue = overdue !== undefined || isOpenState(state);
  return { dueFrom: isNotOverdue ? now : undefined, dueBy: within };
}

/** A time of receipt: as it is given, or by its age. */
function ageOf(
  reader: QueryReader,
  now: Date,
  { time, age }: { readonly time: string; readonly age: string },
): Date | undefined {
  const [given, byAge] = [reader.time(time), before(now, reader.duration(age))];
  if (given && byAge) reader.fault(age, `does not go with ${time}`);
  return given ?? byAge;
}

const before = (now: Date, ms: number | undefined): Date | undefined =>
  ms === undefined ? undefined : new Date(now.getTime() - ms);

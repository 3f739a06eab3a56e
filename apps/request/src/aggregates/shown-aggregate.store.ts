import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import { ofParticipant } from '../domain/state';
import { AggregatesStore } from './aggregates.store';

/** What this service knows of a request, for operators' tools; without free-text messages. */
export async function shownAggregate(connection: Connection, ws: string, srid: string) {
  const aggregate = await new AggregatesStore(connection).load(ws, srid);
  if (!aggregate) return undefined;
  const { status, v, commandSeq, participants, reported, reportedAt, outbox, outboxAt } = aggregate;
  return {
    ...{ status, v, commandSeq, outboxAt },
    outbox: outbox.map(({ type, version, at }) => ({ type, version, at })),
    participants: participants.map((name) => ({
      name,
      status: ofParticipant(reported, name) ?? 'awaited',
      at: ofParticipant(reportedAt, name),
    })),
  };
}

/** What the operator's API shows of a request; undefined: this service does not know it. */
export async function aggregateState(
  connection: Connection,
  ws: string,
  srid: string,
): Promise<RequestState<'request'> | undefined> {
  const facts = await shownAggregate(connection, ws, srid);
  if (!facts) return undefined;
  const { status, v, commandSeq, outbox, participants } = facts;
  return {
    status,
    event_version: v,
    decisions: commandSeq,
    unpublished_events: outbox.map(({ type, version, at }) => ({ type, version, time: at })),
    participants: participants.map(({ name, status: reported, at }) => ({ name, status: reported, time: timeOf(at) })),
  };
}

import { timeOf, type RequestState } from '@opendsr-service/operator-answers';
import type { Connection } from 'mongoose';
import { factsOf } from './request-facts.store';

/** What the operator's API shows of a request; undefined: this service does not know it. */
export async function requestStateOf(
  connection: Connection,
  ws: string,
  srid: string,
): Promise<RequestState<'request'> | undefined> {
  const facts = await factsOf(connection, ws, srid);
  if (!facts) return undefined;
  const { status, v, commandSeq, outbox, participants } = facts;
  return {
    status,
    event_version: v,
    decisions: commandSeq,
    unpublished_events: outbox.map(({ type, version, at }) => ({ type, version, time: at })),
    participants: participants.map(({ name, status: reported = 'awaited', at }) => ({
      name,
      status: reported,
      time: timeOf(at),
    })),
  };
}

import type { Connection } from 'mongoose';
import { AggregatesStore } from './aggregates.store';

/** What this service knows of a request, for operators' tools; without free-text messages. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const aggregate = await new AggregatesStore(connection).load(ws, srid);
  if (!aggregate) return undefined;
  const { status, v, commandSeq, participants, reported, reportedAt, outbox, outboxAt } = aggregate;
  return {
    ...{ status, v, commandSeq, outboxAt },
    outbox: outbox.map(({ type, version, at }) => ({ type, version, at })),
    participants: participants.map((name) => ({
      name,
      status: Object.hasOwn(reported, name) ? reported[name] : 'awaited',
      at: Object.hasOwn(reportedAt, name) ? reportedAt[name] : undefined,
    })),
  };
}

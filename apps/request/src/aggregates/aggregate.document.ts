import type { RequestEvent } from '@opendsr-service/contracts';
import { initialState, type RequestState } from '../domain/state';

/** The state of one request with the events that the log has not acknowledged yet (decision 2). */
export interface AggregateDocument extends Omit<RequestState, 'version'> {
  readonly _id: string;
  readonly ws: string;
  readonly v: number;
  readonly outbox: readonly RequestEvent[];
  /** When the relay publishes the outbox; set while it holds something. */
  readonly outboxAt?: Date;
  /** When the oldest event of the outbox was written. */
  readonly outboxSince?: Date;
}

/** Null: the request is not received yet. */
export const stateOf = (document: AggregateDocument | null): RequestState => {
  if (!document) return initialState;
  const { v: version, commandSeq, status, participants, outside, reported, messages, reportedAt, history } = document;
  const counted = { version, commandSeq, status, participants, outside, reported, messages, reportedAt };
  return { ...counted, ...(history !== undefined && { history }) };
};

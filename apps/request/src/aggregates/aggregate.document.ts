import type { RequestEvent } from '@opendsr-service/contracts';
import { initialState, type RequestState } from '../domain/state';

type Added = 'outside' | 'messages' | 'reportedAt';

/** The state of one request with the events that the log has not acknowledged yet (D2). */
export interface AggregateDocument extends Omit<RequestState, 'version' | Added>, Partial<Pick<RequestState, Added>> {
  readonly _id: string;
  readonly ws: string;
  readonly v: number;
  readonly outbox: readonly RequestEvent[];
  /** When the relay publishes the outbox; set while it holds something. */
  readonly outboxAt?: Date;
  /** Since when it has held something. Documents of before this field have it from the first time that publishing is put off. */
  readonly outboxSince?: Date;
}

/** Documents that were written before outside participants could take part, or reports were told apart by their times, lack what these have added. */
export function stateOf({ v, commandSeq, status, participants, reported, ...added }: AggregateDocument): RequestState {
  const { outside, messages, reportedAt } = { ...initialState, ...added };
  return { version: v, commandSeq, status, participants, outside, reported, messages, reportedAt };
}

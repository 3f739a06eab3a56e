import type { RequestEvent } from '@opendsr-service/contracts';
import type { RequestState } from '../life/state';

/** The state of one request with the events that the log has not acknowledged yet (D2). */
export interface AggregateDocument {
  readonly _id: string;
  readonly ws: string;
  readonly v: number;
  readonly commandSeq: number;
  readonly status: RequestState['status'];
  readonly participants: RequestState['participants'];
  readonly reported: RequestState['reported'];
  readonly outbox: readonly RequestEvent[];
  /** When the relay publishes the outbox; set while it holds something. */
  readonly outboxAt?: Date;
}

export const stateOf = ({ v, commandSeq, status, participants, reported }: AggregateDocument): RequestState => ({ version: v, commandSeq, status, participants, reported });

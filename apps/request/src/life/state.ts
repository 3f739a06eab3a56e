import type { ParticipantStatus, RequestStatus } from '@opendsr-service/contracts';

/** What the life of one request has come to (D2). A request that nobody has heard of yet has version 0. */
export interface RequestState {
  readonly version: number;
  readonly commandSeq: number;
  readonly status: RequestStatus | 'unknown' | 'fulfilled';
  readonly participants: readonly string[];
  readonly reported: Readonly<Record<string, ParticipantStatus>>;
}

export const initialState: RequestState = { version: 0, commandSeq: 0, status: 'unknown', participants: [], reported: {} };

/** `failed` may be reported again; the others are a participant's last word (D8). */
export const isFinal = (status: ParticipantStatus | undefined): boolean => status !== undefined && status !== 'failed';

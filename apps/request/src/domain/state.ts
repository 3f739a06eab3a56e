import type { ParticipantStatus, RequestStatus } from '@opendsr-service/contracts';

/** A participant of another team, shown to controllers by domain and name. */
export interface Outside {
  readonly domain: string;
  readonly name: string;
}

/** The state of one request (decision 2). Version 0: not received yet. */
export interface RequestState {
  readonly version: number;
  readonly commandSeq: number;
  readonly status: RequestStatus | 'unknown' | 'fulfilled';
  readonly participants: readonly string[];
  readonly outside: readonly Outside[];
  readonly reported: Readonly<Record<string, ParticipantStatus>>;
  readonly messages: Readonly<Record<string, string>>;
  /** By the participant's own clock. */
  readonly reportedAt: Readonly<Record<string, string>>;
  /** Digest of the last event, which names that of the event before it (decision 27). */
  readonly history?: string;
}

export const initialState: RequestState = {
  version: 0,
  commandSeq: 0,
  status: 'unknown',
  participants: [],
  outside: [],
  reported: {},
  messages: {},
  reportedAt: {},
};

/** `failed` may be reported again; the others are final (decision 8). */
export const isFinal = (status: ParticipantStatus | undefined): boolean => status !== undefined && status !== 'failed';

/** Safe for a participant called `constructor`. */
export const ofParticipant = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

import type { ParticipantStatus, RequestStatus } from '@opendsr-service/contracts';

/** A participant of another team: controllers are shown how its share stands, under its domain and name. */
export interface Outside {
  readonly domain: string;
  readonly name: string;
}

/** What the life of one request has come to (D2). A request that nobody has heard of yet has version 0. */
export interface RequestState {
  readonly version: number;
  readonly commandSeq: number;
  readonly status: RequestStatus | 'unknown' | 'fulfilled';
  readonly participants: readonly string[];
  /** Those of the participants that are outside ones. */
  readonly outside: readonly Outside[];
  readonly reported: Readonly<Record<string, ParticipantStatus>>;
  /** The line for people that came with a participant's last report, where it had one. */
  readonly messages: Readonly<Record<string, string>>;
  /** When a participant made its last report, by its own clock. */
  readonly reportedAt: Readonly<Record<string, string>>;
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

/** `failed` may be reported again; the others are a participant's last word (D8). */
export const isFinal = (status: ParticipantStatus | undefined): boolean => status !== undefined && status !== 'failed';

/** What a record holds under a participant's name. A participant may be called `constructor`, which every object has. */
export const ofParticipant = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

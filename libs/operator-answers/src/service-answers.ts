import type { Shape } from '@opendsr-service/contracts';
import type { KindFilter } from '@opendsr-service/messaging';
import type { DESTINATION_HOST_DETAIL, DESTINATION_PAGE, HostState } from './destinations/destination-schemas';
import type { PARKED_DROP, PARKED_PAGE, PARKED_RECORD_DETAIL, PARKED_REDRIVE } from './parked/parked-schemas';
import type { ProcessAnswer } from './process/process-answer';
import type { RequestState, StateService } from './requests/request-state-schemas';
import type { ServiceName } from './services';

export type DestinationPage = Shape<typeof DESTINATION_PAGE>;
export type DestinationDetail = Shape<typeof DESTINATION_HOST_DETAIL>;
/** How many hosts are failing or paused, each up to `MOST_HOSTS`. */
export interface DestinationCounts {
  readonly failing: number;
  readonly paused: number;
}
export type ParkedPage = Shape<typeof PARKED_PAGE>;
export type ParkedRecord = ParkedPage['parked'][number];
export type ParkedDetail = Shape<typeof PARKED_RECORD_DETAIL>;
export type ParkedRedrive = Shape<typeof PARKED_REDRIVE>;
export type ParkedDrop = Shape<typeof PARKED_DROP>;

/** A page of a list. Without `workspaces` all are meant. */
interface ListQuestion {
  readonly workspaces?: readonly string[] | undefined;
  /** `next_cursor` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface DestinationsQuestion extends ListQuestion {
  readonly state?: HostState | undefined;
}

export type DestinationCountsQuestion = Pick<ListQuestion, 'workspaces'>;

export interface HostQuestion {
  readonly ws: string;
  readonly host: string;
}

export interface ParkedQuestion extends ListQuestion {
  readonly service: ServiceName;
  readonly reason?: string | undefined;
  readonly kind?: KindFilter | undefined;
  /** Needs one workspace. */
  readonly srid?: string | undefined;
  /** As records show it. */
  readonly key?: string | undefined;
  /** All that waits behind this record; the other filters do not count then. */
  readonly behind?: string | undefined;
}

export interface RecordQuestion {
  readonly service: ServiceName;
  readonly id: string;
}

export interface DropQuestion extends RecordQuestion {
  /** The record behind which it waits, where that one is to be dropped after it. Without it a record that waits is refused. */
  readonly behind?: string | undefined;
}

export interface RequestStateQuestion {
  readonly service: StateService;
  readonly ws: string;
  readonly srid: string;
}

/** Why a record is not redriven or dropped: it waits behind another, or it is being handled. */
export type Refused = { readonly refused: 'blocked' | 'busy' };

/** What the services of a process answer about their own documents; null: unknown. All of it is JSON. */
export interface ServiceAnswers {
  process(): Promise<ProcessAnswer>;
  destinations(question: DestinationsQuestion): Promise<DestinationPage>;
  destinationCounts(question: DestinationCountsQuestion): Promise<DestinationCounts>;
  destination(question: HostQuestion): Promise<DestinationDetail | null>;
  requestState(question: RequestStateQuestion): Promise<RequestState | null>;
  parked(question: ParkedQuestion): Promise<ParkedPage>;
  parkedRecord(question: RecordQuestion): Promise<ParkedDetail | null>;
  redriveRecord(question: RecordQuestion): Promise<ParkedRedrive | Refused | null>;
  redriveRecords(question: Omit<ParkedQuestion, 'limit' | 'behind'>): Promise<ParkedRedrive>;
  dropRecord(question: DropQuestion): Promise<ParkedDrop | Refused | null>;
}

/** The compiler refuses a table with a missing or an extra name. */
const NAMES: Readonly<Record<keyof ServiceAnswers, true>> = {
  process: true,
  destinations: true,
  destinationCounts: true,
  destination: true,
  requestState: true,
  parked: true,
  parkedRecord: true,
  redriveRecord: true,
  redriveRecords: true,
  dropRecord: true,
};
export const QUESTIONS = Object.keys(NAMES) as readonly (keyof ServiceAnswers)[];

/** Where answers come from: a process, and the services whose documents it has. */
export interface Upstream {
  readonly name: string;
  readonly services: readonly ServiceName[];
  readonly answers: ServiceAnswers;
}

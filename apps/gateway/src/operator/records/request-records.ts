import { PARTICIPANTS, requestKey } from '@opendsr-service/contracts';
import { notFound, unavailable } from '@opendsr-service/edge';
import { LogAway, type EventLog, type KeyRead, type KeyReadDenied } from '@opendsr-service/messaging';
import { REQUEST_TOPICS } from '@opendsr-service/operator-answers';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { RequestDocument } from '../../admission/request.document';
import type { WantedPage } from '../lists/query-reader';

/** Names the list in its cursors. */
export const RECORDS = 'records';
/** The clocks of processes may differ by so much. */
export const CLOCKS_DIFFER_MS = 10 * 60_000;
/** What one page reads at most, of all keys in the partitions. */
export const MOST_BYTES = 32 * 1024 * 1024;
export const MOST_MS = 5_000;
/** Pages that a process reads at the same time: each costs the brokers and this process. */
export const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 5;

/** Where a list goes on. `offset`: undefined at the beginning of a topic. */
export interface RecordsPlace {
  readonly topic: string;
  readonly offset: string | undefined;
}

export const recordsPlace = ([topic = '', offset = '']: readonly string[]): RecordsPlace | undefined =>
  REQUEST_TOPICS.includes(topic) && /^\d{0,18}$/.test(offset) ? { topic, offset: offset || undefined } : undefined;

export interface RecordsPage {
  /** From when on it searches. */
  readonly from: Date;
  /** Topic by topic. */
  readonly reads: readonly (KeyRead | KeyReadDenied)[];
  readonly next: RecordsPlace | undefined;
  /** The names that the request knows. */
  readonly participants: ReadonlySet<string>;
}

type WantedRecords = WantedPage<RecordsPlace> & {
  /** By default shortly before the receipt. */
  readonly from: Date | undefined;
};

/** Reads the partitions of a request: the event log has no index of keys. */
export async function searchRecords(
  events: Pick<EventLog, 'readKey'>,
  request: RequestDocument,
  { after, limit, from: wanted }: WantedRecords,
): Promise<RecordsPage> {
  const from = wanted ?? new Date(request.receivedAt.getTime() - CLOCKS_DIFFER_MS);
  const topics = REQUEST_TOPICS.slice(after ? REQUEST_TOPICS.indexOf(after.topic) : 0);
  const reads = await events.readKey({
    key: requestKey(request.ws, request.srid),
    starts: topics.map((topic) => ({ topic, from: (topic === after?.topic && after.offset) || from })),
    bounds: { records: limit, bytes: MOST_BYTES, timeMs: MOST_MS },
  });
  return { from, reads, next: placeAfter(reads), participants: participantsOf(request) };
}

interface RequestRecordsParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly events: Pick<EventLog, 'readKey'>;
}

/** The records of a request on the event log, for few at the same time. */
export class RequestRecords {
  private reading = 0;

  constructor(private readonly parts: RequestRecordsParts) {}

  /** Throws a 404, and a 503 while too many are read or the log is away. */
  async page(ws: string, srid: string, wanted: WantedRecords): Promise<RecordsPage> {
    const request = await this.parts.requests.find(ws, srid);
    if (!request) throw notFound();
    if (this.reading >= MOST_AT_ONCE) throw unavailable(RETRY_AFTER_SECONDS);
    this.reading += 1;
    try {
      return await searchRecords(this.parts.events, request, wanted);
    } catch (error) {
      throw error instanceof LogAway ? unavailable(RETRY_AFTER_SECONDS) : error;
    } finally {
      this.reading -= 1;
    }
  }
}

function placeAfter(reads: RecordsPage['reads']): RecordsPlace | undefined {
  const last = reads.at(-1);
  if (!last) return undefined;
  if ('stoppedBy' in last) return { topic: last.topic, offset: last.next };
  const topic = REQUEST_TOPICS[REQUEST_TOPICS.indexOf(last.topic) + 1];
  return topic === undefined ? undefined : { topic, offset: undefined };
}

const participantsOf = ({ extensions = [], reports = {} }: RequestDocument): ReadonlySet<string> =>
  new Set([...Object.values(PARTICIPANTS), ...extensions.map(({ name }) => name), ...Object.keys(reports)]);

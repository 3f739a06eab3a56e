import type { Clock, OwnProcess } from '@opendsr-service/service';
import { detailAnswer, recordAnswer } from './parked/parked-answers';
import { idOfPath, pathId } from './parked/parked-ids';
import { MOST_BEHIND, type ParkedRecords, type WantedRecords } from './parked/parked-records.store';
import type { RequestState } from './requests/request-state-schemas';
import { processAnswer, type ProcessAnswer } from './process/process-answer';
import type {
  DestinationCounts,
  DestinationCountsQuestion,
  DestinationDetail,
  DestinationPage,
  DestinationsQuestion,
  DropQuestion,
  HostQuestion,
  ParkedDetail,
  ParkedDrop,
  ParkedPage,
  ParkedQuestion,
  ParkedRedrive,
  RecordQuestion,
  Refused,
  RequestStateQuestion,
  ServiceAnswers,
} from './service-answers';
import type { ServiceName } from './services';

/** What the callback-dispatcher answers about the hosts that it sends to. */
export type DestinationAnswers = Pick<ServiceAnswers, 'destinations' | 'destinationCounts' | 'destination'>;

/** The documents of one service. */
export interface OwnDocuments {
  readonly parked: ParkedRecords;
  readonly destinations?: DestinationAnswers;
  /** What the service holds about a request, for those that answer about one. */
  readonly requestState?: (ws: string, srid: string) => Promise<RequestState | undefined>;
}

const BLOCKED: Refused = { refused: 'blocked' };
const BUSY: Refused = { refused: 'busy' };

/** The answers of the services of this process. */
export class OwnAnswers implements ServiceAnswers {
  private readonly documentsOf: ReadonlyMap<ServiceName, OwnDocuments>;
  private readonly hosts: DestinationAnswers | undefined;

  constructor(
    private readonly own: OwnProcess,
    documents: readonly OwnDocuments[],
    private readonly clock: Clock,
  ) {
    this.documentsOf = new Map(documents.map((one) => [one.parked.service, one]));
    this.hosts = documents.find(({ destinations }) => destinations !== undefined)?.destinations;
  }

  get services(): readonly ServiceName[] {
    return [...this.documentsOf.keys()];
  }

  process(): Promise<ProcessAnswer> {
    return processAnswer(this.own, this.clock.now());
  }

  async destinations(question: DestinationsQuestion): Promise<DestinationPage> {
    return this.hosts ? this.hosts.destinations(question) : { destinations: [], next_cursor: null };
  }

  async destinationCounts(question: DestinationCountsQuestion): Promise<DestinationCounts> {
    return this.hosts ? this.hosts.destinationCounts(question) : { failing: 0, paused: 0 };
  }

  async destination(question: HostQuestion): Promise<DestinationDetail | null> {
    return this.hosts ? this.hosts.destination(question) : null;
  }

  async requestState({ service, ws, srid }: RequestStateQuestion): Promise<RequestState | null> {
    return (await this.documentsOf.get(service)?.requestState?.(ws, srid)) ?? null;
  }

  async parked({ service, after, limit, behind, ...wanted }: ParkedQuestion): Promise<ParkedPage> {
    const records = this.documentsOf.get(service)?.parked;
    if (!records) return { parked: [], next_cursor: null };
    const place = { after: storedCursor(after), limit };
    const page = behind === undefined ? records.page(wanted, place) : records.pageBehind(idOfPath(behind), place);
    const { heads, next } = await page;
    return { parked: heads.map((head) => recordAnswer(head, service)), next_cursor: shownCursor(next) };
  }

  async parkedRecord(question: RecordQuestion): Promise<ParkedDetail | null> {
    const { records, head } = await this.find(question);
    const record = head && (await records?.admin.readRecord(head._id));
    if (!records || !record) return null;
    const behind = await records.admin.countBehind(head, MOST_BEHIND);
    const blocker = await records.admin.findBlocker(head);
    return detailAnswer(head, records.service, { behind, blockedBy: blocker?._id, record });
  }

  async redriveRecord(question: RecordQuestion): Promise<ParkedRedrive | Refused | null> {
    const { records, head } = await this.find(question);
    if (!records || !head) return null;
    const call = await records.redrive(head);
    if (typeof call === 'string') return BLOCKED;
    return { marked: call.marked, marked_already: call.markedAlready, next_cursor: null };
  }

  async redriveRecords({
    service,
    after,
    ...wanted
  }: Omit<ParkedQuestion, 'limit' | 'behind'>): Promise<ParkedRedrive> {
    const records = this.documentsOf.get(service)?.parked;
    if (!records) return { marked: 0, marked_already: 0, next_cursor: null };
    const { call, next } = await records.redriveSome(wanted satisfies WantedRecords, storedCursor(after));
    return { marked: call.marked, marked_already: call.markedAlready, next_cursor: shownCursor(next) };
  }

  async dropRecord({ behind: named, ...question }: DropQuestion): Promise<ParkedDrop | Refused | null> {
    const { records, head } = await this.find(question);
    if (!records || !head) return null;
    const blocker = await records.blockerOfDrop(head);
    if (blocker && pathId(blocker._id) !== named) return BLOCKED;
    // Who handles it may handle the records behind it next.
    if (blocker && records.admin.isInRedrive(blocker)) return BUSY;
    const behind = await records.admin.countBehind(head, MOST_BEHIND);
    return (await records.admin.drop(head._id)) ? { dropped: pathId(head._id), behind } : BUSY;
  }

  private async find({ service, id }: RecordQuestion) {
    const records = this.documentsOf.get(service)?.parked;
    return { records, head: await records?.admin.findById(idOfPath(id)) };
  }
}

const storedCursor = (after: string | undefined) => (after === undefined ? undefined : idOfPath(after));
const shownCursor = (next: string | undefined) => (next === undefined ? null : pathId(next));

import { Controller, Inject } from '@nestjs/common';
import {
  PARTICIPANTS,
  requestEvents,
  TOPICS,
  type ParticipantReported,
  type RequestCompleted,
  type RequestStarted,
} from '@opendsr-service/contracts';
import { byType, ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { ErasuresStore } from '../erasure/erasures.store';
import { RESULTS_GROUP, VALIDITY, type Validity } from '../tokens';
import { ArchivesStore } from '../archives/archives.store';
import { BuildWorker } from '../archives/build.worker';

/** Younger requests are built at once, whatever the validity. */
const RECENT_MS = 86_400_000;
/** Longer than reading the whole log takes. */
const COMPLETION_READ_MS = 10 * 60_000;

/** Concurrent events share bulk writes. */
const WIDTH = 200;

@Controller()
export class RequestEventsConsumer {
  constructor(
    private readonly archives: ArchivesStore,
    @Inject(BuildWorker) private readonly builds: Pick<BuildWorker, 'order'>,
    private readonly erasures: ErasuresStore,
    @Inject(VALIDITY) private readonly validity: Validity,
  ) {}

  @ConsumeBatch(TOPICS.requestEvents.name, RESULTS_GROUP)
  handleBatch(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, this.handleRecord, { width: WIDTH });
  }

  private readonly handleRecord = byType(requestEvents, {
    RequestReceived: 'skip',
    RequestCancelled: 'skip',
    RequestStarted: (event) => this.addOrder(event),
    ParticipantReported: (event) => this.recordErased(event),
    DeadlineExtended: 'skip',
    RequestFulfilled: 'skip',
    RequestCompleted: (event) => this.completeArchive(event),
  });

  /** Ingestion starts an erasure; its report names the subjects. */
  private async addOrder({ ws, srid, at, work, participants }: RequestStarted): Promise<Verdict> {
    if (work.type === 'erasure' || !participants.includes(PARTICIPANTS.results)) return 'skip';
    const { kid, identities } = work;
    await this.builds.order({ ws, srid, kid, identities }, this.dueAt(new Date(at)));
    return 'done';
  }

  private async completeArchive({ ws, srid, at }: RequestCompleted): Promise<Verdict> {
    const { clock, validityMs } = this.validity;
    const completedAt = new Date(at);
    const expiresAt = new Date(completedAt.getTime() + validityMs);
    await this.archives.complete(ws, srid, completedAt, expiresAt);
    if (expiresAt <= clock.now()) await this.archives.cancelUnbuilt(ws, srid);
    return 'done';
  }

  /**
   * An old request may already be expired. After a restore its completion may follow in the log, so the build waits for
   * it.
   */
  private dueAt(startedAt: Date): Date {
    const { clock, validityMs } = this.validity;
    const now = clock.now().getTime();
    const isRecent = startedAt.getTime() + Math.max(validityMs, RECENT_MS) > now;
    return new Date(isRecent ? now : now + COMPLETION_READ_MS);
  }

  private async recordErased({ ws, srid, participant, status, erased = [] }: ParticipantReported): Promise<Verdict> {
    if (participant !== PARTICIPANTS.ingestion || status !== 'completed') return 'skip';
    await this.erasures.add({ ws, srid, erased }, this.validity.clock.now());
    return 'done';
  }
}

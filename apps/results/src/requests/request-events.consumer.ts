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
import type { Clock } from '@opendsr-service/service';
import { ErasuresStore } from '../erasure/erasures.store';
import { CLOCK, RESULTS_GROUP, VALIDITY_MS } from '../tokens';
import { ArchivesStore } from '../archives/archives.store';

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
    private readonly erasures: ErasuresStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(VALIDITY_MS) private readonly validityMs: number,
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
    await this.archives.addOrder({ ws, srid, kid, identities }, this.dueAt(new Date(at)));
    return 'done';
  }

  private async completeArchive({ ws, srid, at }: RequestCompleted): Promise<Verdict> {
    const completedAt = new Date(at);
    const expiresAt = new Date(completedAt.getTime() + this.validityMs);
    await this.archives.complete(ws, srid, completedAt, expiresAt);
    if (expiresAt <= this.clock.now()) await this.archives.cancelUnbuilt(ws, srid);
    return 'done';
  }

  /**
   * An old request may already be expired. After a restore its completion may follow in the log, so the build waits for
   * it.
   */
  private dueAt(startedAt: Date): Date {
    const now = this.clock.now().getTime();
    const isRecent = startedAt.getTime() + Math.max(this.validityMs, RECENT_MS) > now;
    return new Date(isRecent ? now : now + COMPLETION_READ_MS);
  }

  private async recordErased({ ws, srid, participant, status, erased = [] }: ParticipantReported): Promise<Verdict> {
    if (participant !== PARTICIPANTS.ingestion || status !== 'completed') return 'skip';
    await this.erasures.add({ ws, srid, erased }, this.clock.now());
    return 'done';
  }
}

import type { Clock, Log } from '@opendsr-service/runtime';
import type { ArchiveSubjectsStore } from '../archives/archive-subjects.store';
import type { Withdrawal } from '../archives/withdrawal';
import type { Reports } from '../reports/reports.client';
import type { ErasedSubjectsStore } from './erased-subjects.store';
import type { ClaimedErasure, ErasuresStore } from './erasures.store';

interface Parts {
  readonly erasures: ErasuresStore;
  readonly erasedSubjects: ErasedSubjectsStore;
  readonly subjects: ArchiveSubjectsStore;
  readonly withdrawal: Withdrawal;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly log: Log;
}

const PAGE = 20;
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 3_600_000;

/**
 * Destroys the archives that hold someone whom ingestion erased (D4): once, and once more when no process can hold their keys any
 * longer, for what was on its way meanwhile; only then it is reported. Each step may be done twice.
 */
export class ErasureWorker {
  constructor(
    private readonly parts: Parts,
    /** From the first pass to the second; at least the time that a process keeps a key in memory. */
    private readonly secondPassAfterMs: number,
  ) {}

  /** Goes on with what is due; answers how much that was. */
  async runOnce(): Promise<number> {
    const due = await this.parts.erasures.claimDue(this.parts.clock.now(), PAGE);
    await Promise.all(due.map((erasure) => this.goOn(erasure)));
    return due.length;
  }

  private async goOn(erasure: ClaimedErasure): Promise<void> {
    const { erasures, log } = this.parts;
    try {
      await this.step(erasure);
    } catch (error) {
      const { ws, srid, tries } = erasure;
      log.warn({ ws, srid, attempt: tries + 1, error }, 'An erasure of archives has to wait');
      // Where not even this can be written, the lease brings the erasure back.
      await erasures.putOff(erasure, this.after(Math.min(FIRST_GAP_MS * 2 ** tries, LONGEST_GAP_MS))).catch(() => undefined);
    }
  }

  private async step(erasure: ClaimedErasure): Promise<void> {
    const { erasures, reports } = this.parts;
    const isFirst = erasure.passes === 0;
    if (erasure.erased.length > 0) {
      await this.destroyAll(erasure, isFirst);
      if (isFirst) {
        await erasures.passed(erasure, this.after(this.secondPassAfterMs));
        return;
      }
    }
    await reports.completed(erasure);
    await erasures.finish(erasure);
  }

  private async destroyAll({ ws, erased }: ClaimedErasure, isFirst: boolean): Promise<void> {
    const { erasedSubjects, subjects, withdrawal, clock } = this.parts;
    // Before the look for builds that hold them: a build that says later whom it holds finds this (decision 3).
    await erasedSubjects.add(ws, erased, clock.now());
    for (const subject of erased) {
      for await (const build of subjects.buildsOf(ws, subject)) {
        await withdrawal.destroy(build);
        if (!isFirst) await subjects.removeBuild(build);
      }
    }
  }

  private after(ms: number): Date {
    return new Date(this.parts.clock.now().getTime() + ms);
  }
}

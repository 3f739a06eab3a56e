import { destroyedKeys } from '@opendsr-service/contracts';
import { ClaimLost, DueWork, type ClaimRenewal, type Clock, type Logger } from '@opendsr-service/service';
import type { Withdrawal } from '../archives/withdrawal';
import type { ParticipantReports } from '../reports/reports.client';
import type { ResultsStores } from '../database.config';
import type { ClaimedErasure } from './erasures.store';

interface Parts extends Pick<ResultsStores, 'erasures' | 'erasedSubjects' | 'subjects'> {
  readonly withdrawal: Withdrawal;
  readonly reports: ParticipantReports;
  readonly clock: Clock;
  readonly log: Logger;
}

const ERASURES = 20;

/**
 * Destroys the archives of erased subjects twice, the second time when no process can still cache their keys (decision
 * 4). Then reports. Each step is idempotent.
 */
export class ArchiveErasureWorker {
  readonly work: DueWork<ClaimedErasure>;

  constructor(
    private readonly parts: Parts,
    /** At least the lifetime of cached keys. */
    private readonly secondPassAfterMs: number,
    renewEveryMs?: number,
  ) {
    const step = (erasure: ClaimedErasure, lease: ClaimRenewal) => this.step(erasure, lease);
    this.work = new DueWork(
      {
        store: parts.erasures,
        limit: ERASURES,
        step,
        renewEveryMs,
        failureMessage: 'An erasure of archives has to wait',
      },
      parts,
    );
  }

  private async step(erasure: ClaimedErasure, lease: ClaimRenewal): Promise<void> {
    const { erasures, reports, clock, log } = this.parts;
    const { ws, srid, erased } = erasure;
    const isFirst = erasure.passes === 0;
    log.info(
      { ws, srid, attempt: erasure.tries + 1, step: isFirst ? 'first pass' : 'second pass' },
      'Archives are being erased',
    );
    const kids = new Set(erasure.kids);
    if (erased.length > 0) {
      await this.destroyAll(erasure, lease, kids);
      if (isFirst) {
        await erasures.recordPass(erasure, new Date(clock.now().getTime() + this.secondPassAfterMs));
        return;
      }
    }
    await reports.reportCompleted(erasure, destroyedKeys(ws, [...kids], { archives: kids.size }));
    log.info({ ws, srid }, 'An erasure of archives was reported');
    await erasures.finish(erasure);
  }

  /** Adds to `kids` the keys of what it destroys. */
  private async destroyAll(erasure: ClaimedErasure, lease: ClaimRenewal, kids: Set<string>): Promise<void> {
    const { erasures, erasedSubjects, subjects, withdrawal, clock } = this.parts;
    const { ws, erased } = erasure;
    // Written first, so that a build that stores its subjects later finds the erasure (decision 14).
    await erasedSubjects.add(ws, erased, clock.now());
    for (const subject of erased) {
      for await (const build of subjects.buildsOf(ws, subject)) {
        await lease.renew();
        await withdrawal.destroy(build, async (kid) => {
          if (!(await erasures.addKey(erasure, kid))) throw new ClaimLost();
          kids.add(kid);
        });
        if (erasure.passes > 0) await subjects.removeBuild(build);
      }
    }
  }
}

import type { KeyObject } from 'node:crypto';
import {
  destroyedKeys,
  PARTICIPANTS,
  participantReport,
  signRecord,
  TOPICS,
  type Identity,
} from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { DueWork, type ClaimRenewal, type Clock, type Logger } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { openIdentities, RequestKeyGone } from '../exports/sealed-identities';
import { deviceMatchingOf, type WorkspaceReader } from '../identities/device-matching';
import type { SubjectRef } from '../identities/matching';
import type { ProfileMatcher } from '../identities/profile-matcher';
import type { ClaimedErasure, ErasuresStore } from './erasures.store';
import type { Removal } from './removal';

interface Stores {
  readonly erasures: ErasuresStore;
  readonly matcher: Pick<ProfileMatcher, 'findToErase' | 'retainLinks' | 'removeLinks'>;
  readonly removal: Removal;
}

interface Tools {
  readonly vault: Vault;
  readonly publisher: Publisher;
  readonly workspaces: WorkspaceReader;
  readonly reportKey: KeyObject;
  readonly clock: Clock;
  readonly log: Logger;
}

const ERASURES = 20;
/** A profile created so long after the start is new: far more than two clocks differ by. */
const NEW_AFTER_START_MS = 3_600_000;

/**
 * Erases data subjects (decision 4). It stores the matched subjects and deletes their data, repeats that when no
 * process can still cache their keys, and then reports. Each step is idempotent.
 */
export class ProfileErasureWorker {
  readonly work: DueWork<ClaimedErasure>;

  constructor(
    private readonly stores: Stores,
    private readonly tools: Tools,
    /** At least the lifetime of cached keys. */
    private readonly secondPassAfterMs: number,
    renewEveryMs?: number,
  ) {
    const step = (erasure: ClaimedErasure, lease: ClaimRenewal) => this.step(erasure, lease);
    this.work = new DueWork(
      { store: stores.erasures, limit: ERASURES, step, renewEveryMs, failureMessage: 'An erasure has to wait' },
      tools,
    );
  }

  private async step(erasure: ClaimedErasure, lease: ClaimRenewal): Promise<void> {
    const { erasures, matcher } = this.stores;
    const decided = erasure.subjects ? erasure : await this.decideSubjects(erasure);
    if (!decided?.subjects) return;
    const { subjects } = decided;
    if (!erasure.reported && !(await this.eraseAll(decided, subjects, lease))) return;
    // Archives may hold the subjects until results has reported, so another request must still find them.
    if (subjects.length > 0 && !erasure.completed) return erasures.waitForOthers(erasure);
    for (const subject of subjects) await matcher.removeLinks(erasure.ws, subject);
    await erasures.finish(erasure);
  }

  private async decideSubjects(erasure: ClaimedErasure): Promise<ClaimedErasure | undefined> {
    const { erasures, matcher, removal } = this.stores;
    const identities = await this.identitiesOf(erasure);
    if (!identities) {
      await erasures.finish(erasure);
      return undefined;
    }
    // First, so that the policy applies to identities that arrive after the match, even if they have no owner now.
    await removal.recordErased(erasure.ws, identities);
    const until = new Date(erasure.startedAt.getTime() + NEW_AFTER_START_MS);
    const matching = await deviceMatchingOf(this.tools.workspaces, erasure.ws);
    const subjects = await matcher.findToErase({ ws: erasure.ws, identities, matching }, until);
    const mpids = subjects.map(({ mpid }) => mpid);
    // Counted before the first deletion, so that a killed process counts the same.
    const batches = await removal.countBatches(erasure.ws, mpids);
    if (!(await erasures.setSubjects(erasure, subjects, batches))) return undefined;
    this.tools.log.info({ ws: erasure.ws, srid: erasure.srid, count: subjects.length }, 'An erasure was started');
    return { ...erasure, subjects, batches };
  }

  /**
   * Undefined: the key is gone, so all participants have reported. The erasure ran before the restore of an older copy.
   */
  private async identitiesOf(erasure: ClaimedErasure): Promise<Identity[] | undefined> {
    try {
      return await openIdentities(this.tools.vault, erasure);
    } catch (error) {
      if (error instanceof RequestKeyGone && erasure.completed) return undefined;
      throw error;
    }
  }

  /** True after the last pass, once it is reported. */
  private async eraseAll(
    erasure: ClaimedErasure,
    subjects: readonly SubjectRef[],
    lease: ClaimRenewal,
  ): Promise<boolean> {
    const { erasures } = this.stores;
    for (const subject of subjects) await this.erase(erasure.ws, subject, lease);
    const isLast = subjects.length === 0 || erasure.passes > 0;
    if (isLast) await this.report(erasure, subjects);
    else await erasures.recordPass(erasure, new Date(this.tools.clock.now().getTime() + this.secondPassAfterMs));
    return isLast;
  }

  private async erase(ws: string, subject: SubjectRef, lease: ClaimRenewal): Promise<void> {
    const { matcher, removal } = this.stores;
    await lease.renew();
    await matcher.retainLinks(ws, subject);
    await removal.removeProfile(ws, subject.mpid);
    await this.tools.vault.destroy(ws, subject.kid, 'subject');
    // Identities may have been attached meanwhile.
    await matcher.retainLinks(ws, subject);
    await removal.remove(ws, subject.mpid, () => lease.renew());
  }

  private async report({ ws, srid, batches }: ClaimedErasure, subjects: readonly SubjectRef[]): Promise<void> {
    const { vault, publisher, reportKey, clock, log } = this.tools;
    const erased = await Promise.all(subjects.map(({ mpid }) => vault.erasedIndex(ws, mpid)));
    const kids = subjects.map(({ kid }) => kid);
    const counts = { profiles: subjects.length, ...(batches !== undefined && { batches }) };
    const report = participantReport(
      PARTICIPANTS.ingestion,
      { ws, srid },
      { status: 'completed', erased, destroyed: destroyedKeys(ws, kids, counts) },
      clock.now(),
    );
    await publisher.publish(TOPICS.participantReports.name, [signRecord(report, reportKey)]);
    log.info({ ws, srid }, 'An erasure was reported');
  }
}

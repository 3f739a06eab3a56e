import type { KeyObject } from 'node:crypto';
import { PARTICIPANTS, participantReport, signReport, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock, Log } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import { openIdentities } from '../exports/identity-order';
import type { Reach, Reached } from '../identities/reach';
import type { ClaimedErasure, ErasuresStore } from './erasures.store';
import { Lease } from './lease';
import type { Removal } from './removal';

interface Stores {
  readonly erasures: ErasuresStore;
  readonly reach: Pick<Reach, 'toErase'>;
  readonly removal: Removal;
}

interface Tools {
  readonly vault: Vault;
  readonly publisher: Publisher;
  /** Signs what ingestion reports. */
  readonly reportKey: KeyObject;
  readonly clock: Clock;
  readonly log: Log;
}

const PAGE = 20;
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 3_600_000;

/**
 * Erases (D4): whom is written down, then everything is deleted, and once more when no process can hold the key any longer, for
 * what was on its way meanwhile; only then it is reported. Each step may be done twice, so a crash between any two does no harm.
 */
export class ErasureWorker {
  constructor(
    private readonly stores: Stores,
    private readonly tools: Tools,
    /** From the first deletion to the second; at least the time that a process keeps a key in memory. */
    private readonly secondPassAfterMs: number,
  ) {}

  /** Goes on with what is due; answers how much that was. */
  async runOnce(): Promise<number> {
    const due = await this.stores.erasures.claimDue(this.tools.clock.now(), PAGE);
    await Promise.all(due.map((erasure) => this.goOn(erasure)));
    return due.length;
  }

  private async goOn(erasure: ClaimedErasure): Promise<void> {
    try {
      await this.step(erasure);
    } catch (error) {
      const { ws, srid, tries } = erasure;
      this.tools.log.warn({ ws, srid, attempt: tries + 1, error }, 'An erasure has to wait');
      // Where not even this can be written, the lease brings the erasure back.
      await this.stores.erasures.putOff(erasure, this.after(Math.min(FIRST_GAP_MS * 2 ** tries, LONGEST_GAP_MS))).catch(() => undefined);
    }
  }

  private async step(erasure: ClaimedErasure): Promise<void> {
    const { ws, passes } = erasure;
    const subjects = erasure.subjects ?? (await this.decideSubjects(erasure));
    if (!subjects) return;
    const lease = new Lease(erasure.dueAt, (until) => this.stores.erasures.extend(erasure, until), this.tools.clock);
    for (const subject of subjects) await this.erase(ws, subject, lease);
    if (subjects.length > 0 && passes === 0) {
      await this.stores.erasures.passed(erasure, this.after(this.secondPassAfterMs));
      return;
    }
    await this.report(erasure, subjects);
    await this.stores.erasures.finish(erasure);
  }

  private async decideSubjects(erasure: ClaimedErasure): Promise<readonly Reached[] | undefined> {
    const subjects = await this.stores.reach.toErase(erasure.ws, await openIdentities(this.tools.vault, erasure));
    return (await this.stores.erasures.remember(erasure, subjects)) ? subjects : undefined;
  }

  private async erase(ws: string, { mpid, kid }: Reached, lease: Lease): Promise<void> {
    await lease.keep();
    await this.stores.removal.hide(ws, mpid);
    await this.tools.vault.destroy(ws, kid, 'subject');
    await this.stores.removal.remove(ws, mpid, () => lease.keep());
  }

  private async report({ ws, srid }: ClaimedErasure, subjects: readonly Reached[]): Promise<void> {
    const { vault, publisher, reportKey, clock } = this.tools;
    const erased = await Promise.all(subjects.map(({ mpid }) => vault.erasedIndex(ws, mpid)));
    const report = participantReport(PARTICIPANTS.ingestion, { ws, srid }, { status: 'completed', erased }, clock.now());
    await publisher.publish(TOPICS.participantReports.name, [signReport(report, reportKey)]);
  }

  private after(ms: number): Date {
    return new Date(this.tools.clock.now().getTime() + ms);
  }
}

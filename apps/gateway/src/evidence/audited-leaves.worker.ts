import type { KeyObject } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { auditedLeaf, auditedLeafId } from './audited-leaves';
import type { EntriesWithLeafStore, StoredEntryWithLeaf } from './entries-with-leaf.store';
import type { LeavesStore } from './leaves.store';

interface AuditedLeavesParts {
  readonly entries: EntriesWithLeafStore;
  readonly leaves: Pick<LeavesStore, 'idsAmong'>;
  readonly publisher: Pick<Publisher, 'publish' | 'available'>;
  readonly leafKey: KeyObject;
  readonly clock: Clock;
}

/** Who added a younger entry publishes its leaf now, and the gateway takes it from the topic. */
const YOUNG_MS = 60_000;
/** An entry may be stored so long after its time, as where the clock of `dsr` is behind. */
const LATE_MS = 3_600_000;
const PAGE = 500;

/**
 * Publishes leaves of the audit trail that are not there: who adds an entry publishes its leaf afterwards, in vain where the
 * event log is away or its process dies.
 */
export class AuditedLeavesWorker {
  /** Earlier entries have their leaves. At the start of a process none is known to. */
  private from = new Date(0);

  constructor(private readonly parts: AuditedLeavesParts) {}

  /** Resolves with the number of leaves. A repeat is the same leaf. */
  async runOnce(): Promise<number> {
    const { entries, publisher, clock } = this.parts;
    if (!publisher.available) return 0;
    const to = clock.now().getTime() - YOUNG_MS;
    let published = 0;
    for await (const page of entries.pages(this.from, new Date(to), PAGE)) published += await this.publishMissing(page);
    this.from = new Date(to - LATE_MS);
    return published;
  }

  private async publishMissing(page: readonly StoredEntryWithLeaf[]): Promise<number> {
    const byLeafId = new Map(page.map((entry) => [auditedLeafId(entry._id, entry), entry]));
    for (const logged of await this.parts.leaves.idsAmong([...byLeafId.keys()])) byLeafId.delete(logged);
    const missing = [...byLeafId.values()].map(({ _id, ...entry }) => auditedLeaf(_id, entry, this.parts.leafKey));
    if (missing.length > 0) await this.parts.publisher.publish(TOPICS.evidenceLeaves.name, missing);
    return missing.length;
  }
}

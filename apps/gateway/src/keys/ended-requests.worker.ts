import type { Clock } from '@opendsr-service/service';
import { inPages } from '@opendsr-service/storage';
import type { Vault } from '@opendsr-service/vault';
import type { EndedHere, EndedRequest } from '../admission/ended-here';
import type { RequestDocument } from '../admission/request.document';
import { openIdentities, personIndex } from '../admission/sealing';
import type { EndedPerson, EndedPersonsStore } from './ended-persons.store';
import { ENDED_PAGE, type RequestKeysStore } from './request-keys.store';

type Ended = Omit<EndedPerson, '_id' | 'person'>;

interface EndedRequestsParts {
  readonly keys: RequestKeysStore;
  readonly persons: EndedPersonsStore;
  readonly vault: Pick<Vault, 'key' | 'index'>;
  readonly clock: Clock;
  /** How long keys are kept once an erasure of one of the persons has completed; milliseconds. */
  readonly keepErasedMs: number;
  /** Those that this process has ended; it alone handles them for some minutes (`personsAt`). */
  readonly here: EndedHere;
}

/**
 * Records the persons of ended requests, and brings the end of keys forward where one of them was erased (decision 4). An
 * erasure and a request both write before they read, so at least one finds the other. Every step may be repeated.
 */
export class EndedRequestsWorker {
  /** The most requests that share queries and writes. */
  readonly page = ENDED_PAGE;

  constructor(private readonly parts: EndedRequestsParts) {}

  /** One page of own requests, and one of claimed; each shares queries and writes. Resolves with their number. */
  async runOnce(): Promise<number> {
    const own = await this.record(this.parts.here.takeFirst(this.page));
    // Only then: who has much to do of its own leaves that to others.
    return own < this.page ? own + (await this.record(await this.claim())) : own;
  }

  private async record(page: readonly EndedRequest[]): Promise<number> {
    await Promise.all(page.map((ended) => this.recordPersons(ended)));
    return page.length;
  }

  private async claim(): Promise<EndedRequest[]> {
    const claimed = await this.parts.keys.claimEnded(this.parts.clock.now());
    return claimed.map(({ document }) => ({ document, isAttested: false }));
  }

  private async recordPersons({ document, isAttested }: EndedRequest): Promise<void> {
    const { keys, persons, vault } = this.parts;
    const ended = endedOf(document);
    const identities = (await openIdentities(vault, document)) ?? [];
    const index = await vault.index(ended.ws);
    for (const page of inPages(identities)) {
      const indexes = page.map((identity) => personIndex(index, identity));
      await persons.record(ended, indexes);
      await this.bringForward(ended, indexes);
    }
    await keys.personsRecorded(document, isAttested);
  }

  private async bringForward({ ws, srid, endedAt, isErasure }: Ended, page: readonly string[]): Promise<void> {
    const { keys, persons, keepErasedMs } = this.parts;
    const by = (erasedAt: Date): Date => new Date(erasedAt.getTime() + keepErasedMs);
    if (isErasure) {
      for await (const srids of persons.pagesEndedBy(ws, page, endedAt))
        await keys.bringForward(ws, srids, by(endedAt));
      return;
    }
    const erasedAt = await persons.findErasureSince(ws, page, endedAt);
    if (erasedAt) await keys.bringForward(ws, [srid], by(erasedAt));
  }
}

const endedOf = ({ ws, srid, type, completedAt, cancelledAt, receivedAt }: RequestDocument): Ended => ({
  ...{ ws, srid, endedAt: completedAt ?? cancelledAt ?? receivedAt },
  ...(type === 'erasure' && completedAt && { isErasure: true }),
});

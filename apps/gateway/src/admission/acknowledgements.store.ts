import { alikeUpdates, CallJoiner } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import { atPreviousVersion, versionFields, type CommandAnswer } from './event-run';
import type { RequestDocument } from './request.document';

const MAX_WRITES = 500;

/** Applies events where they answer every command of the outbox. */
export const emptying = (of: CommandAnswer) =>
  ({
    filter: { ...atPreviousVersion(of), 'outbox.seq': { $not: { $gt: of.commandSeq } } },
    update: { $set: { ...versionFields(of), outbox: [] }, $unset: { outboxAt: 1, outboxSince: 1, tries: 1 } },
  }) as const;

/** Applies events where later commands stay in the outbox. */
export const shortening = (of: CommandAnswer) =>
  ({
    filter: { ...atPreviousVersion(of), 'outbox.seq': { $gt: of.commandSeq } },
    update: { $set: versionFields(of), $pull: { outbox: { seq: { $lte: of.commandSeq } } } },
  }) as const;

type Change = ReturnType<typeof emptying> | ReturnType<typeof shortening>;

/**
 * Joins concurrent acknowledgements into bulk writes of their own (decision 22): their outcome needs both forms of the
 * write, of which an admission takes at most one.
 */
export class Acknowledgements {
  private readonly calls = new CallJoiner((page: readonly CommandAnswer[]) => this.applyAll(page), MAX_WRITES);

  constructor(private readonly requests: Collection<RequestDocument>) {}

  /** False: the events are not the next versions, or were applied and the store could not say so. */
  add(of: CommandAnswer): Promise<boolean> {
    return this.calls.call(of);
  }

  private async applyAll(page: readonly CommandAnswer[]): Promise<boolean[]> {
    let applied = await this.write(page.map(emptying));
    if (applied < page.length) applied += await this.write(page.map(shortening));
    return page.map(() => applied === page.length);
  }

  private async write(changes: readonly Change[]): Promise<number> {
    const updates = alikeUpdates(changes) as Parameters<Collection<RequestDocument>['bulkWrite']>[0];
    const { matchedCount } = await this.requests.bulkWrite([...updates], { ordered: false });
    return matchedCount;
  }
}

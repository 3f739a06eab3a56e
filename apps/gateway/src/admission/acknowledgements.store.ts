import { requestKey } from '@opendsr-service/contracts';
import { alikeUpdates, CallJoiner, type DocumentLoader } from '@opendsr-service/storage';
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

type Versions = Pick<DocumentLoader<RequestDocument, 'v'>, 'load'>;

/** Where a write of several does not say which it applied, the version does. */
export const hasVersion = async (versions: Versions, { ws, srid, v }: CommandAnswer): Promise<boolean> =>
  (await versions.load(requestKey(ws, srid), ws))?.v === v;

/**
 * Joins concurrent acknowledgements into bulk writes of their own (decision 22): their outcome needs both forms of the
 * write, of which an admission takes at most one. Where only some were applied, one joined read says which.
 */
export class Acknowledgements {
  private readonly calls = new CallJoiner((page: readonly CommandAnswer[]) => this.applyAll(page), MAX_WRITES);

  constructor(
    private readonly requests: Collection<RequestDocument>,
    private readonly versions: Versions,
  ) {}

  /** As `AdmissionsStore.acknowledge`. */
  add(of: CommandAnswer): Promise<boolean> {
    return this.calls.call(of);
  }

  private async applyAll(page: readonly CommandAnswer[]): Promise<boolean[]> {
    let applied = await this.write(page.map(emptying));
    if (applied < page.length) applied += await this.write(page.map(shortening));
    if (applied === 0 || applied === page.length) return page.map(() => applied > 0);
    return Promise.all(page.map((of) => hasVersion(this.versions, of)));
  }

  private async write(changes: readonly Change[]): Promise<number> {
    const updates = alikeUpdates(changes) as Parameters<Collection<RequestDocument>['bulkWrite']>[0];
    const { matchedCount } = await this.requests.bulkWrite([...updates], { ordered: false });
    return matchedCount;
  }
}

import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { unchangedSince } from './unchanged-since';
import { scanById, pairById, type DocumentPair } from './id-order';
import { compareDocument, type DocumentComparison } from './compare-document';
import type { Difference, Projection, StoredDocument } from './projection';
import { ProjectionError } from './projection-error';
import { withFoldedStore, type FoldedStore, type FoldOptions } from './folded-store';
import { Tally, type Comparison } from './tally';

const PARALLEL_WRITES = 100;
/** A document may give way for each of its unique fields. */
const TRIES = 3;

export interface RebuildOptions extends FoldOptions {
  /** The database, with its indexes. Where something else writes to it meanwhile, that stays. */
  readonly connection: Connection;
}

type Differing<D> = Extract<DocumentComparison<D>, object>;

/** What one way through the collection does. */
interface PassRules<D> {
  /** Whether to write what differs; `present` is null where it is missing. */
  readonly shouldWrite: (judged: Differing<D>, present: D | null) => boolean;
  /** `isWritten` is false where another writer changed the document meanwhile: its write stays. */
  readonly written: (difference: Difference, isWritten: boolean) => void;
  readonly skipped: (judged: DocumentComparison<D>) => void;
}

/**
 * Writes what differs from the log as the log has it (decision 3): what is missing is added, what differs is changed. What the
 * log does not know is left, for it may be the log that lost something, and so is what a service that was started all
 * the same wrote meanwhile. Answers what differed before. It may be killed and begun again.
 */
export function rebuildProjection<D extends StoredDocument>(
  projection: Projection<D>,
  rebuilding: RebuildOptions,
): Promise<Comparison> {
  return withFoldedStore(projection, rebuilding, async (folded) => {
    const tally = new Tally(projection.name);
    const pass = new Pass(projection, rebuilding, folded);
    // A value that must be unique is given free by all that held it before anything else takes it.
    const givesFree: PassRules<D>['shouldWrite'] = ({ document }, present) =>
      present !== null && document !== undefined && projection.releasesUnique?.(present, document) === true;
    const note: PassRules<D>['written'] = (difference, isWritten) => {
      if (isWritten) tally.note(difference);
    };
    if (projection.releasesUnique) await pass.run({ shouldWrite: givesFree, written: note, skipped: () => undefined });
    await pass.run({
      shouldWrite: ({ document }) => document !== undefined,
      written: (difference, isWritten) => {
        tally.count({ difference: isWritten ? difference : { ...difference, kind: 'changed meanwhile' } });
      },
      skipped: (judged) => {
        tally.count(judged);
      },
    });
    return tally.comparison;
  });
}

class Pass<D extends StoredDocument> {
  private readonly documents: Collection<D>;

  constructor(
    private readonly projection: Projection<D>,
    private readonly rebuilding: RebuildOptions,
    private readonly folded: FoldedStore,
  ) {
    this.documents = rebuilding.connection.collection(projection.collection) as unknown as Collection<D>;
  }

  async run(errand: PassRules<D>): Promise<void> {
    let pairs: DocumentPair<D>[] = [];
    for await (const pair of pairById<D>(
      scanById(this.rebuilding.connection, this.projection.collection),
      scanById(this.folded.connection, this.projection.collection),
    )) {
      if (pairs.push(pair) < PARALLEL_WRITES) continue;
      await this.settle(pairs, errand);
      pairs = [];
    }
    await this.settle(pairs, errand);
  }

  /** All writes have ended when this resolves or rejects. */
  private async settle(pairs: readonly DocumentPair<D>[], errand: PassRules<D>): Promise<void> {
    const { tools, stop } = this.rebuilding;
    stop?.throwIfAborted();
    const measure = { tools, since: this.folded.fold.since(tools.now) };
    const ends = await Promise.allSettled(
      pairs.map((pair) => this.settleOne(pair, compareDocument(this.projection, pair, measure), errand)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async settleOne(
    [present]: DocumentPair<D>,
    judged: DocumentComparison<D>,
    { shouldWrite, written, skipped }: PassRules<D>,
  ): Promise<void> {
    if (typeof judged !== 'object' || !shouldWrite(judged, present)) skipped(judged);
    else written(judged.difference, await this.write(judged.document as D, present));
  }

  private async write(document: D, present: D | null): Promise<boolean> {
    for (let wanted = document, tries = TRIES; ; tries -= 1) {
      const written = await this.tryToWrite(wanted, present);
      if (typeof written === 'boolean') return written;
      if (tries === 1 || !this.projection.withoutConflicting)
        throw new ProjectionError(
          `${document._id} cannot be written: another document holds its ${written.join(' and ')}`,
        );
      wanted = this.projection.withoutConflicting(wanted, written);
    }
  }

  /** Which fields another document holds, where it is refused for that. */
  private async tryToWrite(document: D, present: D | null): Promise<boolean | string[]> {
    const documents = this.documents as unknown as Collection<StoredDocument>;
    try {
      if (present)
        return (
          (await documents.replaceOne(unchangedSince(present, this.projection.changingFields), document))
            .matchedCount === 1
        );
      await documents.insertOne(document);
      return true;
    } catch (error) {
      const duplicate = duplicateKey(error);
      if (!duplicate) throw error;
      const fields = Object.keys(duplicate.keyPattern);
      return fields.includes('_id') ? false : fields;
    }
  }
}

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
/** A document may give up each of its unique fields. */
const TRIES = 3;

export interface RebuildOptions extends FoldOptions {
  /** Concurrent writes of other processes stay. */
  readonly connection: Connection;
}

type Differing<D> = Extract<DocumentComparison<D>, object>;

interface PassRules<D> {
  readonly shouldWrite: (judged: Differing<D>, present: D | null) => boolean;
  /** `isWritten`: false if another writer changed the document meanwhile. */
  readonly written: (difference: Difference, isWritten: boolean) => void;
  readonly skipped: (judged: DocumentComparison<D>) => void;
}

/** Adds and changes documents to match the log (decision 3); keeps unknown and concurrently changed ones. It may be restarted. */
export function rebuildProjection<D extends StoredDocument>(
  projection: Projection<D>,
  rebuilding: RebuildOptions,
): Promise<Comparison> {
  return withFoldedStore(projection, rebuilding, async (folded) => {
    const tally = new Tally(projection.name);
    const pass = new Pass(projection, rebuilding, folded);
    // Frees unique values before other documents take them.
    const freesValue: PassRules<D>['shouldWrite'] = ({ document }, present) =>
      present !== null && document !== undefined && projection.releasesUnique?.(present, document) === true;
    const note: PassRules<D>['written'] = (difference, isWritten) => {
      if (isWritten) tally.note(difference);
    };
    if (projection.releasesUnique) await pass.run({ shouldWrite: freesValue, written: note, skipped: () => undefined });
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

  async run(rules: PassRules<D>): Promise<void> {
    let pairs: DocumentPair<D>[] = [];
    for await (const pair of pairById<D>(
      scanById(this.rebuilding.connection, this.projection.collection),
      scanById(this.folded.connection, this.projection.collection),
    )) {
      if (pairs.push(pair) < PARALLEL_WRITES) continue;
      await this.processAll(pairs, rules);
      pairs = [];
    }
    await this.processAll(pairs, rules);
  }

  private async processAll(pairs: readonly DocumentPair<D>[], rules: PassRules<D>): Promise<void> {
    const { tools, stop } = this.rebuilding;
    stop?.throwIfAborted();
    const measure = { tools, since: this.folded.fold.since(tools.now) };
    const ends = await Promise.allSettled(
      pairs.map((pair) => this.processOne(pair, compareDocument(this.projection, pair, measure), rules)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async processOne(
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

  /** Returns the fields that another document holds, or whether it was written. */
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

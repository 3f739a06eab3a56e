import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { asSeen } from './as-seen';
import { inOrder, side, type Pair } from './in-order';
import { judge, type Judgement } from './judge';
import type { Difference, Projection, Stored } from './projection';
import { ProjectionError } from './projection-error';
import { withFold, type Folded, type Folding } from './scratch';
import { Tally, type Comparison } from './tally';

/** So many writes are under way at once. */
const AT_ONCE = 100;
/** A document may give way for each of its unique fields. */
const TRIES = 3;

export interface Rebuilding extends Folding {
  /** The database, with its indexes. Where something else writes to it meanwhile, that stays. */
  readonly connection: Connection;
}

type Differing<D> = Extract<Judgement<D>, object>;

/** What one way through the collection does. */
interface Errand<D> {
  /** Whether to write what differs; `present` is null where it is missing. */
  readonly chosen: (judged: Differing<D>, present: D | null) => boolean;
  /** Told of what was chosen, and whether it is written: what somebody else wrote meanwhile stays as that one wrote it. */
  readonly ended: (difference: Difference, isWritten: boolean) => void;
  /** Told of all else. */
  readonly passed: (judged: Judgement<D>) => void;
}

/**
 * Writes what differs from the log as the log has it (D3): what is missing is added, what differs is changed. What the log does not know is
 * left, for it may be the log that lost something, and so is what a service that was started all the same wrote meanwhile. Answers what
 * differed before. It may be killed and begun again.
 */
export function rebuildProjection<D extends Stored>(
  projection: Projection<D>,
  rebuilding: Rebuilding,
): Promise<Comparison> {
  return withFold(projection, rebuilding, async (folded) => {
    const tally = new Tally(projection.name);
    const pass = new Pass(projection, rebuilding, folded);
    // A value that must be unique is given free by all that held it before anything else takes it.
    const givesFree: Errand<D>['chosen'] = ({ document }, present) =>
      present !== null && document !== undefined && projection.givesFree?.(present, document) === true;
    const note: Errand<D>['ended'] = (difference, isWritten) => {
      if (isWritten) tally.note(difference);
    };
    if (projection.givesFree) await pass.run({ chosen: givesFree, ended: note, passed: () => undefined });
    await pass.run({
      chosen: ({ document }) => document !== undefined,
      ended: (difference, isWritten) => {
        tally.count({ difference: isWritten ? difference : { ...difference, kind: 'changed meanwhile' } });
      },
      passed: (judged) => {
        tally.count(judged);
      },
    });
    return tally.comparison;
  });
}

/** Goes through the collection, and writes what it is told to. */
class Pass<D extends Stored> {
  private readonly documents: Collection<D>;

  constructor(
    private readonly projection: Projection<D>,
    private readonly rebuilding: Rebuilding,
    private readonly folded: Folded,
  ) {
    this.documents = rebuilding.connection.collection(projection.collection) as unknown as Collection<D>;
  }

  async run(errand: Errand<D>): Promise<void> {
    let pairs: Pair<D>[] = [];
    for await (const pair of side<D>(
      inOrder(this.rebuilding.connection, this.projection.collection),
      inOrder(this.folded.connection, this.projection.collection),
    )) {
      if (pairs.push(pair) < AT_ONCE) continue;
      await this.settle(pairs, errand);
      pairs = [];
    }
    await this.settle(pairs, errand);
  }

  /** All writes have ended when this resolves or rejects. */
  private async settle(pairs: readonly Pair<D>[], errand: Errand<D>): Promise<void> {
    const { tools, stop } = this.rebuilding;
    stop?.throwIfAborted();
    const measure = { tools, since: this.folded.fold.since(tools.now) };
    const ends = await Promise.allSettled(
      pairs.map((pair) => this.settleOne(pair, judge(this.projection, pair, measure), errand)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async settleOne(
    [present]: Pair<D>,
    judged: Judgement<D>,
    { chosen, ended, passed }: Errand<D>,
  ): Promise<void> {
    if (typeof judged !== 'object' || !chosen(judged, present)) passed(judged);
    else ended(judged.difference, await this.write(judged.document as D, present));
  }

  /** False: it is no longer as it was seen. */
  private async write(document: D, present: D | null): Promise<boolean> {
    for (let wanted = document, tries = TRIES; ; tries -= 1) {
      const written = await this.tryToWrite(wanted, present);
      if (typeof written === 'boolean') return written;
      if (tries === 1 || !this.projection.yielding)
        throw new ProjectionError(
          `${document._id} cannot be written: another document holds its ${written.join(' and ')}`,
        );
      wanted = this.projection.yielding(wanted, written);
    }
  }

  /** Which fields another document holds, where it is refused for that. */
  private async tryToWrite(document: D, present: D | null): Promise<boolean | string[]> {
    const documents = this.documents as unknown as Collection<Stored>;
    try {
      if (present)
        return (await documents.replaceOne(asSeen(present, this.projection.changing), document)).matchedCount === 1;
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

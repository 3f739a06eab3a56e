import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { inOrder, side } from './in-order';
import { judge, type Judgement } from './judge';
import type { Projection, Stored } from './projection';
import { ProjectionError } from './projection-error';
import { withFold, type Folded, type Folding } from './scratch';
import { Tally, type Comparison } from './tally';

/** So many writes are under way at once. */
const AT_ONCE = 100;
/** A document may give way for each of its unique fields. */
const TRIES = 3;

export interface Rebuilding extends Folding {
  /** The database, with its indexes. Nothing else writes to it meanwhile. */
  readonly connection: Connection;
}

type Differing<D> = Extract<Judgement<D>, object>;
/** Whether to write what differs; `present` is null where it is missing. */
type Chosen<D> = (judged: Differing<D>, present: D | null) => boolean;

/**
 * Writes what differs from the log as the log has it (D3): what is missing is added, what differs is changed. What the log does not know is
 * left, for it may be the log that lost something. Answers what differed before. It may be killed and begun again.
 */
export function rebuildProjection<D extends Stored>(projection: Projection<D>, rebuilding: Rebuilding): Promise<Comparison> {
  return withFold(projection, rebuilding, async (folded) => {
    const tally = new Tally(projection.name);
    const pass = new Pass(projection, rebuilding, folded);
    // A value that must be unique is given free by all that held it before anything else takes it.
    const giving: Chosen<D> = ({ document }, present) => present !== null && document !== undefined && projection.givesFree?.(present, document) === true;
    if (projection.givesFree) await pass.run(giving, ({ difference }) => { tally.note(difference); });
    await pass.run(({ document }) => document !== undefined, undefined, (judged) => { tally.count(judged); });
    return tally.comparison;
  });
}

/** One way through the collection, which writes what it is told to. */
class Pass<D extends Stored> {
  private readonly documents: Collection<D>;

  constructor(
    private readonly projection: Projection<D>,
    private readonly rebuilding: Rebuilding,
    private readonly folded: Folded,
  ) {
    this.documents = rebuilding.connection.collection(projection.collection) as unknown as Collection<D>;
  }

  async run(chosen: Chosen<D>, written: (judged: Differing<D>) => void = () => undefined, seen: (judged: Judgement<D>) => void = () => undefined): Promise<void> {
    const { connection, tools } = this.rebuilding;
    const { collection } = this.projection;
    const measure = { tools, since: this.folded.fold.since(tools.now) };
    let writing: Promise<void>[] = [];
    for await (const pair of side<D>(inOrder(connection, collection), inOrder(this.folded.connection, collection))) {
      const judged = judge(this.projection, pair, measure);
      seen(judged);
      if (typeof judged !== 'object' || !chosen(judged, pair[0])) continue;
      written(judged);
      writing.push(this.write(judged.document as D, pair[0] === null));
      if (writing.length < AT_ONCE) continue;
      await Promise.all(writing);
      writing = [];
    }
    await Promise.all(writing);
  }

  private async write(document: D, isNew: boolean): Promise<void> {
    for (let wanted = document, tries = TRIES; ; tries -= 1) {
      const fields = await this.refusedFor(wanted, isNew);
      if (!fields) return;
      if (tries === 1 || !this.projection.yielding) throw new ProjectionError(`${document._id} cannot be written: another document holds its ${fields.join(' and ')}`);
      wanted = this.projection.yielding(wanted, fields);
    }
  }

  /** Undefined once it is written; else which fields another document holds. */
  private async refusedFor(document: D, isNew: boolean): Promise<string[] | undefined> {
    const documents = this.documents as unknown as Collection<Stored>;
    const { _id, ws } = document;
    try {
      if (isNew) await documents.insertOne(document);
      else await documents.replaceOne({ _id, ws }, document);
      return undefined;
    } catch (error) {
      const duplicate = duplicateKey(error);
      if (!duplicate) throw error;
      return Object.keys(duplicate.keyPattern);
    }
  }
}

import DataLoader from 'dataloader';
import { PAGE } from './in-pages';

interface Lookup {
  readonly ws: string;
  readonly id: string;
}

/** Combines concurrent reads by `_id` into one query. Does not cache, so an answer is never older than its call. */
export class BatchedReads<D extends { readonly _id: string }> {
  private readonly loader: DataLoader<Lookup, D | undefined>;

  constructor(private readonly read: (ws: string, ids: readonly string[]) => Promise<readonly D[]>) {
    this.loader = new DataLoader((wanted: readonly Lookup[]) => this.readAll(wanted), {
      cache: false,
      maxBatchSize: PAGE,
      batchScheduleFn: setImmediate,
    });
  }

  async find(ws: string, ids: readonly string[]): Promise<D[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.loader.load({ ws, id })));
    return found.filter((document) => document !== undefined);
  }

  private async readAll(wanted: readonly Lookup[]): Promise<(D | undefined | Error)[]> {
    const idsOf = Map.groupBy(wanted, ({ ws }) => ws);
    const answers = new Map<string, ReadonlyMap<string, D> | Error>();
    await Promise.all(
      [...idsOf].map(async ([ws, all]) =>
        answers.set(ws, await this.answer(ws, [...new Set(all.map(({ id }) => id))])),
      ),
    );
    return wanted.map(({ ws, id }) => {
      const answer = answers.get(ws);
      return answer instanceof Error ? answer : answer?.get(id);
    });
  }

  private async answer(ws: string, ids: readonly string[]): Promise<ReadonlyMap<string, D> | Error> {
    try {
      return new Map((await this.read(ws, ids)).map((document) => [document._id, document]));
    } catch (error) {
      return error instanceof Error ? error : new Error('a read failed', { cause: error });
    }
  }
}

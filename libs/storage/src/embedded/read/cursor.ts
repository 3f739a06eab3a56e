import type { Doc } from '../bson';
import type { Source } from './batches';
import { batchesOf } from './batches';
import { sortFrom } from './order';
import { compileProjection } from './projection';
import type { Projection } from './projection';
import type { Query } from './query';

export interface CursorOptions {
  readonly limit?: number;
  readonly projection?: unknown;
}

/** The part of the driver's cursor that the stores use. Nothing is read before the first document is asked for. */
export class FindCursor implements AsyncIterable<Doc> {
  private query: Query;
  private most: number;
  private readonly projection: Projection | undefined;

  constructor(
    private readonly source: Source,
    query: Query,
    { limit = 0, projection }: CursorOptions,
  ) {
    this.query = query;
    this.most = limit || Infinity;
    this.projection = compileProjection(projection);
  }

  sort(sort: unknown): this {
    this.query = { ...this.query, sort: sortFrom(sort) };
    return this;
  }

  limit(limit: number): this {
    this.most = limit || Infinity;
    return this;
  }

  async toArray(): Promise<Doc[]> {
    const all: Doc[] = [];
    for await (const doc of this) all.push(doc);
    return all;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc, void, void> {
    let left = this.most;
    for await (const batch of batchesOf(this.source, this.query, this.most)) {
      const wanted = batch.slice(0, left);
      left -= wanted.length;
      for (const doc of wanted) yield this.projection ? this.projection(doc) : doc;
    }
  }
}

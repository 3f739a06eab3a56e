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

/** The part of the driver's cursor that mongoose and the stores use. Nothing is read before the first call. */
export class FindCursor implements AsyncIterable<Doc> {
  closed = false;
  private query: Query;
  private most: number;
  private readonly projection: Projection | undefined;
  private batches: AsyncGenerator<Doc[], void> | undefined;
  private buffer: Doc[] = [];
  private at = 0;

  constructor(
    private readonly source: Source,
    query: Query,
    { limit = 0, projection }: CursorOptions,
  ) {
    this.query = query;
    this.most = Math.abs(limit) || Infinity;
    this.projection = compileProjection(projection);
  }

  sort(sort: unknown, direction?: 1 | -1): this {
    this.query = { ...this.query, sort: sortFrom(direction === undefined ? sort : { [String(sort)]: direction }) };
    return this;
  }

  limit(limit: number): this {
    this.most = Math.abs(limit) || Infinity;
    return this;
  }

  async next(): Promise<Doc | null> {
    while (this.at >= this.buffer.length) if (this.closed || !(await this.refill())) return null;
    const doc = this.buffer[this.at++] as Doc;
    return this.projection ? this.projection(doc) : doc;
  }

  async toArray(): Promise<Doc[]> {
    const all: Doc[] = [];
    for await (const doc of this) all.push(doc);
    return all;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc, void, void> {
    try {
      for (let doc = await this.next(); doc; doc = await this.next()) yield doc;
    } finally {
      await this.close();
    }
  }

  close(): Promise<void> {
    this.closed = true;
    this.buffer = [];
    this.at = 0;
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async refill(): Promise<boolean> {
    this.batches ??= batchesOf(this.source, this.query, this.most);
    if (this.most === 0) return false;
    const next = await this.batches.next();
    if (next.done) return false;
    const { value } = next;
    const rest = value.slice(0, this.most);
    this.most -= rest.length;
    this.buffer = rest;
    this.at = 0;
    return true;
  }
}

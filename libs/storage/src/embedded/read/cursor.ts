import type { Doc } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import type { Source } from './batches';
import { batchesOf } from './batches';
import { sortFrom } from './order';
import { compileProjection } from './projection';
import type { Projection } from './projection';
import type { Query } from './query';

export interface CursorOptions {
  readonly limit?: number;
  readonly skip?: number;
  readonly projection?: unknown;
}

/** The part of the driver's cursor that mongoose and the stores use. Nothing is read before the first call. */
export class FindCursor implements AsyncIterable<Doc> {
  closed = false;
  private query: Query;
  private most: number;
  private skipped: number;
  private projection: Projection | undefined;
  private batches: AsyncGenerator<Doc[], void> | undefined;
  private buffer: Doc[] = [];
  private at = 0;

  constructor(
    private readonly source: Source,
    query: Query,
    { limit = 0, skip = 0, projection }: CursorOptions,
  ) {
    if (skip < 0) throw badValue('skip may not be negative');
    this.query = query;
    this.most = Math.abs(limit) || Infinity;
    this.skipped = skip;
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

  skip(skip: number): this {
    this.skipped = skip;
    return this;
  }

  project(projection: Doc): this {
    this.projection = compileProjection(projection);
    return this;
  }

  batchSize(): this {
    return this;
  }

  addCursorFlag(flag: string, value: boolean): this {
    if (value && flag !== 'noCursorTimeout') throw new EmbeddedUnsupported(`the cursor flag ${flag}`);
    return this;
  }

  async next(): Promise<Doc | null> {
    if (!(await this.hasNext())) return null;
    const doc = this.buffer[this.at++] as Doc;
    return this.projection ? this.projection(doc) : doc;
  }

  async hasNext(): Promise<boolean> {
    while (this.at >= this.buffer.length) {
      if (this.closed || !(await this.refill())) return false;
    }
    return true;
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
    this.batches ??= batchesOf(this.source, this.query, this.most + this.skipped);
    if (this.most === 0) return false;
    const next = await this.batches.next();
    if (next.done) return false;
    const { value } = next;
    const rest = value.slice(this.skipped, this.skipped + this.most);
    this.skipped -= Math.min(this.skipped, value.length);
    this.most -= rest.length;
    this.buffer = rest;
    this.at = 0;
    return true;
  }
}

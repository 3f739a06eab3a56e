import type { Doc } from '../bson';

/** A cursor over a result in memory. */
export class ListCursor implements AsyncIterable<Doc> {
  closed = false;
  private docs: Promise<Iterator<Doc>> | undefined;

  constructor(private readonly compute: () => Promise<readonly Doc[]>) {}

  async next(): Promise<Doc | null> {
    this.docs ??= this.compute().then((docs) => docs[Symbol.iterator]());
    const { value, done } = (await this.docs).next() as IteratorResult<Doc, undefined>;
    return this.closed || done ? null : value;
  }

  async toArray(): Promise<Doc[]> {
    const all: Doc[] = [];
    for await (const doc of this) all.push(doc);
    return all;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc, void, void> {
    for (let doc = await this.next(); doc; doc = await this.next()) yield doc;
    await this.close();
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

/** What a cursor finds, in pages of this size. The last one may be shorter. */
export async function* pagesOf<T>(found: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const one of found) {
    page.push(one);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

import { findInPages } from './in-pages';

describe('a long list', () => {
  it('is read in pages, in order', async () => {
    const sizes: number[] = [];
    const list = Array.from({ length: 450 }, (_, n) => n);
    const found = await findInPages(list, (page) => {
      sizes.push(page.length);
      return Promise.resolve(page);
    });
    expect([sizes, found]).toEqual([[200, 200, 50], list]);
    const large = await findInPages(['a'], () => Promise.resolve(Array.from({ length: 200_000 }, () => 0)));
    expect(large).toHaveLength(200_000);
    expect(await findInPages([], () => Promise.reject(new Error('nothing to look up')))).toEqual([]);
  });
});

import { BatchedReads } from './batched-reads';

interface Doc {
  readonly _id: string;
  readonly ws: string;
}

const questions: string[] = [];
let missing = new Set<string>();
const reads = new BatchedReads<Doc>((ws, ids) => {
  questions.push(`${ws}: ${ids.join(' ')}`);
  return ws === 'away'
    ? Promise.reject(new Error('the store is away'))
    : Promise.resolve(ids.filter((id) => !missing.has(id)).map((_id) => ({ _id, ws })));
});
const idsOf = async (found: Promise<Doc[]>) => (await found).map(({ _id }) => _id);

beforeEach(() => {
  questions.length = 0;
  missing = new Set();
});

describe('batched reads', () => {
  it('make one query per workspace, and each call gets its documents', async () => {
    missing = new Set(['c']);
    const answers = await Promise.all([
      idsOf(reads.find('a', ['x', 'y'])),
      idsOf(reads.find('a', ['y', 'c'])),
      idsOf(reads.find('b', ['x'])),
    ]);
    expect(answers).toEqual([['x', 'y'], ['y'], ['x']]);
    expect(questions).toEqual(['a: x y c', 'b: x']);
  });

  it('query the store each time, without a cache', async () => {
    expect(await idsOf(reads.find('a', ['x']))).toEqual(['x']);
    missing = new Set(['x']);
    expect(await idsOf(reads.find('a', ['x']))).toEqual([]);
  });

  it('fail only for the workspace whose query fails, with its error', async () => {
    const [one, other] = await Promise.allSettled([reads.find('away', ['x']), reads.find('a', ['x'])]);
    expect(one).toEqual({ status: 'rejected', reason: new Error('the store is away') });
    expect(other).toMatchObject({ status: 'fulfilled' });
  });

  it('are split into pages', async () => {
    const ids = Array.from({ length: 450 }, (_, n) => String(n));
    expect(await idsOf(reads.find('a', ids))).toEqual(ids);
    expect(questions.map((question) => question.split(' ').length - 1)).toEqual([200, 200, 50]);
  });
});

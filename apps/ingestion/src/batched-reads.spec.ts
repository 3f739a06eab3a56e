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

describe('look-ups of calls that run side by side', () => {
  it('are one question for each workspace, and each call gets what it asked for', async () => {
    missing = new Set(['c']);
    const answers = await Promise.all([
      idsOf(reads.find('a', ['x', 'y'])),
      idsOf(reads.find('a', ['y', 'c'])),
      idsOf(reads.find('b', ['x'])),
    ]);
    expect(answers).toEqual([['x', 'y'], ['y'], ['x']]);
    expect(questions).toEqual(['a: x y c', 'b: x']);
  });

  it('ask again each time: what was read before is not remembered', async () => {
    expect(await idsOf(reads.find('a', ['x']))).toEqual(['x']);
    missing = new Set(['x']);
    expect(await idsOf(reads.find('a', ['x']))).toEqual([]);
  });

  it('fail alone where the store fails for one of them, and by the error that it gave', async () => {
    const [one, other] = await Promise.allSettled([reads.find('away', ['x']), reads.find('a', ['x'])]);
    expect(one).toEqual({ status: 'rejected', reason: new Error('the store is away') });
    expect(other).toMatchObject({ status: 'fulfilled' });
  });

  it('are cut into pages that the store can seek', async () => {
    const ids = Array.from({ length: 450 }, (_, n) => String(n));
    expect(await idsOf(reads.find('a', ids))).toEqual(ids);
    expect(questions.map((question) => question.split(' ').length - 1)).toEqual([200, 200, 50]);
  });
});

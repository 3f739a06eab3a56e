import type { RequestStatus } from '@opendsr-service/contracts';
import { parseListQuery, type ListedRequest } from './list-query';
import type { ReadNext } from './merged-requests';
import { MOST_APART, MOST_READ, readPage } from './read-page';
import { behind, placeOf } from './request-order';
import { cursorOf } from '../lists/cursor';
import type { QueryParameters } from '../lists/query-reader';

const NOW = new Date('2026-11-26T12:00:00Z');

type Planted = readonly [ws: string, ageMs: number];

/** What is asked for of each workspace, and how many requests that returned. */
function world(planted: readonly Planted[]) {
  const requests = planted.map(([ws, ageMs], n): ListedRequest => {
    const receivedAt = new Date(NOW.getTime() - ageMs);
    const status: RequestStatus = 'pending';
    const srid = String(n).padStart(6, '0');
    return { _id: `${ws}:${srid}`, ws, srid, status, type: 'access', controllerId: 'c', receivedAt, expectedAt: NOW };
  });
  const ofWorkspace = Map.groupBy(behind(undefined, requests, 'received'), ({ ws }) => ws);
  let [read, asked, atOnce, mostAtOnce] = [0, 0, 0, 0];
  const readNext: ReadNext = async ({ ws, order, after }, limit) => {
    asked += 1;
    mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
    await Promise.resolve();
    atOnce -= 1;
    const found = behind(after, ws === undefined ? requests : (ofWorkspace.get(ws) ?? []), order).slice(0, limit);
    read += found.length;
    return found;
  };
  const workspaces = [...ofWorkspace.keys()];
  const page = (parameters: QueryParameters, of: readonly string[] = workspaces) =>
    readPage(of, parseListQuery(parameters, NOW), readNext);
  /** All pages of a list, and the most that one of them read. */
  async function pages(parameters: QueryParameters, of?: readonly string[]) {
    const found: string[] = [];
    let most = 0;
    for (let cursor: string | undefined; ;) {
      read = 0;
      const { requests: shown, next } = await page({ ...parameters, ...(cursor && { cursor }) }, of);
      found.push(...shown.map(({ srid }) => srid));
      most = Math.max(most, read);
      if (!next) return { found, most };
      cursor = cursorOf('received', next);
    }
  }
  const newestFirst = (fits: (one: ListedRequest) => boolean = () => true) =>
    behind(undefined, requests.filter(fits), 'received').map(({ srid }) => srid);
  return { page, pages, newestFirst, workspaces, read: () => read, asked: () => asked, mostAtOnce: () => mostAtOnce };
}

const evenly = (workspaces: number, each: number): readonly Planted[] =>
  Array.from({ length: workspaces * each }, (_, n) => [`ws${n % workspaces}`, Math.floor(n / 3)]);
/** Nearly all are of one workspace. */
const unevenly = (workspaces: number, each: number): readonly Planted[] =>
  Array.from({ length: each }, (_, n): Planted => ['busy', n]).concat(evenly(workspaces, 1));

it.each([
  ['one', evenly(1, 6_000)],
  ['some', evenly(7, 1_000)],
  ['many', evenly(200, 40)],
  ['as many as are read apart', evenly(MOST_APART, 15)],
  ['more than are read apart', evenly(MOST_APART + 1, 15)],
  ['one busy and many others', unevenly(MOST_APART - 1, 6_000)],
])(
  'of %s workspaces has each request once, in order, and reads no more for a page than it may',
  async (_what, planted) => {
    const { pages, newestFirst, read, page, asked, mostAtOnce } = world(planted);
    expect((await pages({ limit: '200' })).found).toEqual(newestFirst());
    const { found, most } = await pages({ type: 'erasure' });
    expect(found).toEqual([]);
    expect(most).toBeGreaterThan(MOST_READ / 2);
    expect(most).toBeLessThanOrEqual(MOST_READ);
    const [readBefore, askedBefore] = [read(), asked()];
    const first = await page({ limit: '50' });
    expect(first.next).toEqual(first.requests.at(-1) && placeOf(first.requests.at(-1) as ListedRequest, 'received'));
    expect(read() - readBefore).toBeLessThanOrEqual(MOST_APART * 2);
    expect(asked() - askedBefore).toBeLessThanOrEqual(MOST_APART * 2);
    expect(mostAtOnce()).toBeLessThanOrEqual(20);
  },
);

it('has none of a workspace that it is not about, however many these are', async () => {
  const { pages, newestFirst, workspaces } = world(evenly(MOST_APART + 2, 3));
  const [left, ...named] = workspaces;
  const { found } = await pages({ limit: '200' }, named);
  expect(found).toEqual(newestFirst(({ ws }) => ws !== left));
});

import { Gathered, readChange, Recount, withNewer } from './changes';

const request = (id: string, workspace = 'acme') => ({ workspace, subject_request_id: id });
const row = (id: string, status: 'pending' | 'completed') =>
  ({ ...request(id), request_status: status }) as Parameters<typeof withNewer>[1] extends ReadonlyMap<string, infer R>
    ? R
    : never;

it('reads messages of the stream, and nothing else', () => {
  expect(readChange(JSON.stringify({ requests: [request('1')], more: false }))).toEqual({
    requests: [request('1')],
    more: false,
  });
  for (const wrong of ['', '{}', 'null', '{"requests":1}']) expect(readChange(wrong)).toBeUndefined();
});

it('counts a request once, however often it changed', () => {
  const gathered = new Gathered(3);
  gathered.add({ requests: [request('a'), request('b')], more: false });
  gathered.add({ requests: [request('A'), request('a', 'other')], more: false });
  expect(gathered.tick().requests).toHaveLength(3);
  expect(gathered.tick().requests).toEqual([]);
});

it.each([
  ['what is named', { requests: [request('a')], more: false }, false],
  ['what is not named', { requests: [], more: true }, true],
])('counts again after a change of %s, and seldom reads what may be one that is not', (_what, message, others) => {
  const gathered = new Gathered(3);
  const readings: object[] = [];
  for (let tick = 0; tick <= 20; tick += 1) {
    if (tick < 5) gathered.add(message);
    const due = gathered.tick();
    if (due.counts || due.others) readings.push([tick, due.counts, due.others]);
  }
  expect(readings).toEqual([3, 6, 9].map((tick) => [tick, true, others]));
});

it('counts again after each change, and seldom while much changes', () => {
  const recount = new Recount(3);
  const readings: number[] = [];
  for (let tick = 0; tick <= 20; tick += 1) {
    if (recount.tick()) readings.push(tick);
    // The last change comes shortly before a reading, which may not show it yet.
    if (tick >= 1 && tick < 7) recount.note();
  }
  expect(readings).toEqual([4, 7, 10]);
});

it('puts newer rows in place of those that they replace, and leaves other pages alone', () => {
  const pages = [{ rows: [row('a', 'pending'), row('b', 'pending')] }, { rows: [row('c', 'pending')] }];
  const replaced = withNewer(pages, new Map([['acme:b', row('b', 'completed')]]));
  expect(replaced[0]?.rows.map((one) => one.request_status)).toEqual(['pending', 'completed']);
  expect(replaced[1]).toBe(pages[1]);
});

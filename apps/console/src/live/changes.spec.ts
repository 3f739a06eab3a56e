import { ChangedRequests, readChange, withNewer } from './changes';

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
  const changed = new ChangedRequests();
  changed.add([request('a'), request('b')]);
  changed.add([request('A'), request('a', 'other')]);
  expect(changed.take()).toHaveLength(3);
  expect(changed.take()).toEqual([]);
});

it('puts newer rows in place of those that they replace, and leaves other pages alone', () => {
  const pages = [{ rows: [row('a', 'pending'), row('b', 'pending')] }, { rows: [row('c', 'pending')] }];
  const replaced = withNewer(pages, new Map([['acme:b', row('b', 'completed')]]));
  expect(replaced[0]?.rows.map((one) => one.request_status)).toEqual(['pending', 'completed']);
  expect(replaced[1]).toBe(pages[1]);
});

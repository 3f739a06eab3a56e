import { QueryClient } from '@tanstack/react-query';
import { refresh } from './refresh';
import { RowAllowance } from './row-allowance';

type Row = Awaited<ReturnType<Parameters<typeof refresh>[2]['read']>>;
type List = { readonly pages: readonly { readonly rows: readonly Row[] }[] };

const request = (id: string) => ({ workspace: 'acme', subject_request_id: id });
const row = (id: string, status: 'pending' | 'completed') => ({ ...request(id), request_status: status }) as Row;

function listing(...ids: readonly string[]) {
  const client = new QueryClient();
  const pages = [{ rows: ids.map((id) => row(id, 'pending')), next: null }];
  client.setQueryData(['requests', {}], { pages, pageParams: [undefined] });
  const statuses = () => client.getQueryData<List>(['requests', {}])?.pages[0]?.rows.map((one) => one.request_status);
  return { client, statuses };
}

it('replaces the rows that could be read, and says that a list is old where one could not', async () => {
  const { client, statuses } = listing('a', 'b');
  const read = jest.fn(({ subject_request_id: id }: { readonly subject_request_id: string }) =>
    id === 'a' ? Promise.reject(new Error('too many calls')) : Promise.resolve(row(id, 'completed')),
  );
  const rows = { allowance: new RowAllowance(20, 2), read };
  expect(await refresh(client, [request('a'), request('b')], rows)).toEqual({ isOld: true });
  expect(statuses()).toEqual(['pending', 'completed']);
  expect(await refresh(client, [request('b')], rows)).toEqual({ isOld: false });
  expect(await refresh(client, [request('c')], rows)).toEqual({ isOld: true });
  expect(read).toHaveBeenCalledTimes(3);
  client.clear();
});

it('reads a few rows a tick of a list that always changes', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `id-${String(at)}`);
  const { client } = listing(...ids);
  const allowance = new RowAllowance(20, 2);
  const read = jest.fn((one: { readonly subject_request_id: string }) =>
    Promise.resolve(row(one.subject_request_id, 'completed')),
  );
  const counts: number[] = [];
  for (let tick = 0; tick < 3; tick += 1) {
    expect(await refresh(client, ids.map(request), { allowance, read })).toEqual({ isOld: true });
    counts.push(read.mock.calls.length);
    allowance.tick();
  }
  expect(counts).toEqual([20, 22, 24]);
  for (let tick = 0; tick < 100; tick += 1) allowance.tick();
  expect(allowance.take(30)).toBe(20);
  client.clear();
});

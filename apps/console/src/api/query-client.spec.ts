import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { makeQueryClient } from './query-client';

const unreachable = jest.fn(() => Promise.reject(new TypeError('Failed to fetch')));
const client = makeQueryClient();

beforeEach(() => {
  unreachable.mockClear();
  client.mount();
  onlineManager.setOnline(false);
});
afterEach(() => {
  onlineManager.setOnline(true);
  client.unmount();
  client.clear();
});

it('offline a change fails at once, and is not made when the network returns', async () => {
  const change = new MutationObserver(client, { mutationFn: unreachable });
  await expect(change.mutate()).rejects.toThrow('Failed to fetch');
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect(unreachable).toHaveBeenCalledTimes(1);
});

it('offline a reading fails, and is done again when the network returns', async () => {
  const observer = new QueryObserver<string>(client, { queryKey: ['overview'], queryFn: unreachable, retryDelay: 0 });
  const [failed, succeeded] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const end = observer.subscribe(({ status }) => {
    if (status === 'error') failed.resolve(undefined);
    if (status === 'success') succeeded.resolve(undefined);
  });
  await failed.promise;
  observer.setOptions({ queryKey: ['overview'], queryFn: () => Promise.resolve('read'), retryDelay: 0 });
  onlineManager.setOnline(true);
  await succeeded.promise;
  end();
});

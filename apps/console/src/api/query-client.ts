import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './problem';

const MOST_RETRIES = 3;
const FRESH_MS = 10_000;

/** Repeats what may succeed a little later, and nothing else. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < MOST_RETRIES && isPassing(error),
        // Offline a call fails, and its page says so; by default it would wait in silence.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // By default a change would be made when the network returns, however late.
      mutations: { networkMode: 'always' },
    },
  });

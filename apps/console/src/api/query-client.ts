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
      },
    },
  });

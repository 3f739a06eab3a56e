import type { ReactNode } from 'react';
import { Loading } from './loading';
import { ProblemState } from './problem-state';

interface QueryStateProps<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  readonly children: (data: T) => ReactNode;
}

/** Shows what was asked for, or why it is not there. What was read before stays while it cannot be read again. */
export function QueryState<T>({ query, children }: QueryStateProps<T>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  return error === null ? <Loading /> : <ProblemState error={error} onRetry={() => void refetch()} />;
}

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

/** Shows what was asked for, or why it is not there. What was read before stays below while it cannot be read again. */
export function QueryState<T>({ query, children }: QueryStateProps<T>) {
  const { data, error, refetch } = query;
  if (data === undefined && error === null) return <Loading />;
  return (
    <>
      {error !== null && <ProblemState error={error} onRetry={() => void refetch()} isAboveOld={data !== undefined} />}
      {data !== undefined && children(data)}
    </>
  );
}

import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** Services that did not answer. */
  readonly unavailable?: readonly string[];
}

/** Which page of a list is asked for. */
interface WantedPage {
  readonly limit: number;
  /** Absent: the first one. */
  readonly cursor?: string;
}

export interface CursorList<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  /** The last pages had hardly a row: there may be more, and no page is read by itself. */
  readonly isPaused: boolean;
  /** Services whose part is missing. */
  readonly unavailable: readonly string[];
  readonly error: unknown;
  /** Reads the next page, unless it is paused. */
  readonly more: () => void;
  readonly searchOn: () => void;
  readonly retry: () => void;
}

interface CursorListOptions {
  /** Whether its changes are shown as they come (`live/`). Another list is read again whenever its page is entered. */
  readonly isFollowed?: boolean;
}

const PAGE_ROWS = 100;
const KEPT_MS = 60_000;
/** A page of a filter that refuses nearly all costs the service as much as thousands of rows, and an operator has a limit of calls. */
const BARE_ROWS = 10;
const BARE_PAGES = 5;

/** A list that is read page by page, each from the cursor of the one before. */
export function useCursorList<Row>(
  key: QueryKey,
  load: (page: WantedPage, signal: AbortSignal) => Promise<CursorPage<Row>>,
  { isFollowed = false }: CursorListOptions = {},
): CursorList<Row> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor, signal }) =>
      load({ limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Every page that is held would be read again.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: isFollowed ? KEPT_MS : 0,
  });
  const { data, isPending, isFetchingNextPage, hasNextPage, error, fetchNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const isPaused = hasNextPage && isPausing(data?.pages ?? []);
  return {
    rows,
    isPaused,
    isLoading: isPending,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    unavailable: [...new Set(data?.pages.flatMap(({ unavailable = [] }) => unavailable))].sort(),
    error,
    // After a failure only `retry` asks again: a table asks for more each time it is drawn, also before it hears of a call
    // that is under way.
    more: () => {
      if (hasNextPage && !isPaused && !isFetchingNextPage && error === null)
        void fetchNextPage({ cancelRefetch: false });
    },
    searchOn: () => void fetchNextPage({ cancelRefetch: false }),
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}

/** After so many bare pages, and after as many again. */
function isPausing(pages: readonly CursorPage<unknown>[]): boolean {
  const bare = pages.length - 1 - pages.findLastIndex(({ rows }) => rows.length >= BARE_ROWS);
  return bare > 0 && bare % BARE_PAGES === 0;
}

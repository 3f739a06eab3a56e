import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client';
import type { components } from '../../../api/operator';
import type { Which } from '../../../requests/request-query';
import { lastOfEach, type TopicRead } from './topics-read';

type RecordsPage = components['schemas']['OperatorRecords'];
export type RequestRecord = RecordsPage['records'][number];

export interface FoundRecords {
  readonly records: readonly RequestRecord[];
  /** What is known last of each topic. */
  readonly topics: readonly TopicRead[];
}

const MOST_OF_PAGE = 100;

/** Not under the key of the request: each read costs the brokers, so no change and no focus repeats it. */
export const recordsKey = ({ ws, srid }: Which) => ['records', ws, srid.toLowerCase()] as const;

export const recordsQuery = (which: Which) =>
  infiniteQueryOptions({
    queryKey: recordsKey(which),
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: MOST_OF_PAGE, ...(cursor !== undefined && { cursor }) };
      const params = { path: { ...which }, query };
      return bodyOf(api.GET('/operator/v1/requests/{ws}/{srid}/records', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    select: ({ pages }): FoundRecords => ({
      records: pages.flatMap(({ records }) => records),
      topics: lastOfEach(pages.flatMap(({ topics }) => topics)),
    }),
    ...{ staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false },
  });

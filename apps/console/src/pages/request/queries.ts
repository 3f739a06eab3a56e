import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, readTagged } from '../../api/client';
import type { components } from '../../api/operator';
import { Problem } from '../../api/problem';
import { keyOfRequest, type Which } from '../../requests/request-query';

export type HistoryEntry = components['schemas']['OperatorHistoryEntry'];
export type LogEntry = components['schemas']['OperatorLogEntries']['entries'][number];
/** By service; null: it takes no part in the request, or did not answer in time. */
export type ServiceStates = components['schemas']['OperatorRequestStates']['services'];
export type Callback = components['schemas']['OperatorCallback'];

/** A callback as it was read; `tag` is what a replay names. */
export interface ReadCallback extends Callback {
  readonly tag: string;
}

/** Of a page. */
const ENTRIES = 200;
const PATH = '/operator/v1/requests/{ws}/{srid}';

const parametersOf = (which: Which, cursor: string | undefined) => ({
  path: { ...which },
  query: { limit: ENTRIES, ...(cursor !== undefined && { cursor }) },
});

export const eventsQuery = (which: Which) =>
  infiniteQueryOptions({
    queryKey: [...keyOfRequest(which), 'events'],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(api.GET(`${PATH}/events`, { params: parametersOf(which, pageParam), signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });

export const callbacksQuery = (which: Which) =>
  infiniteQueryOptions({
    queryKey: [...keyOfRequest(which), 'callbacks'],
    queryFn: ({ pageParam, signal }) =>
      readTagged(api.GET(`${PATH}/callbacks`, { params: parametersOf(which, pageParam), signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ body: { next_cursor: next } }) => next ?? undefined,
    select: ({ pages }): readonly ReadCallback[] =>
      pages.flatMap(({ body: { callbacks }, tag }) => callbacks.map((callback) => ({ ...callback, tag }))),
  });

export const logEntriesQuery = (which: Which) =>
  infiniteQueryOptions({
    queryKey: [...keyOfRequest(which), 'log-entries'],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(api.GET(`${PATH}/log-entries`, { params: parametersOf(which, pageParam), signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    select: ({ pages }): readonly LogEntry[] => pages.flatMap(({ entries }) => entries),
  });

export const statesQuery = (which: Which) =>
  queryOptions({
    queryKey: [...keyOfRequest(which), 'services'],
    queryFn: ({ signal }) => bodyOf(api.GET(`${PATH}/services`, { params: { path: { ...which } }, signal })),
  });

/** The bytes of the bundle; null while there is none. */
export const attestationQuery = (which: Which) =>
  queryOptions({
    queryKey: [...keyOfRequest(which), 'attestation'],
    queryFn: async ({ signal }): Promise<Uint8Array<ArrayBuffer> | null> => {
      const parts = { params: { path: { ...which } }, parseAs: 'arrayBuffer', signal } as const;
      const answer = await api.GET(`${PATH}/attestation`, parts).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      });
      return answer && new Uint8Array(await bodyOf(Promise.resolve(answer)));
    },
  });

import { queryOptions } from '@tanstack/react-query';
import { backgroundHeaders } from '../../api/client';
import { problemOf } from '../../api/problem';
import { fromBase64, utf8, toBase64, type Bytes } from '../../proof/bytes';

const POLL_MS = 1_000;
const ROOT = '/operator/v1/sandbox';

/** What makes this page a controller of the sandbox. */
export interface Sandbox {
  readonly key: string;
  readonly secret: string;
  readonly callback_url: string;
}

/** A callback as it came. */
export interface ArrivedCallback {
  readonly number: number;
  readonly time: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
}

async function jsonOf<T>(path: string, init: { readonly signal: AbortSignal }): Promise<T> {
  const answer = await fetch(path, { ...init, headers: backgroundHeaders() });
  if (!answer.ok) throw await problemOf(answer);
  return (await answer.json()) as T;
}

export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: ({ signal }) => jsonOf<Sandbox>(ROOT, { signal }),
  staleTime: Infinity,
});

interface ReceivedCallbacks {
  readonly callbacks: readonly (Omit<ArrivedCallback, 'body'> & { readonly body: string })[];
}

/** The callbacks that arrived, the latest first. Each read adds those after the last one that is known. */
export const callbacksQuery = queryOptions({
  queryKey: ['sandbox-callbacks'],
  queryFn: async ({ client, queryKey, signal }): Promise<readonly ArrivedCallback[]> => {
    const before = client.getQueryData<readonly ArrivedCallback[]>(queryKey) ?? [];
    const { callbacks } = await jsonOf<ReceivedCallbacks>(`${ROOT}/callbacks?after=${before[0]?.number ?? 0}`, {
      signal,
    });
    const more = callbacks.map((callback) => ({ ...callback, body: fromBase64(callback.body) ?? new Uint8Array() }));
    return [...more.toReversed(), ...before];
  },
  refetchInterval: POLL_MS,
  refetchIntervalInBackground: true,
  // The next read is soon enough.
  retry: false,
  gcTime: 0,
});

/** The certificate that discovery names. Its address may have another host; this service has it in any case. */
export const certificateQuery = queryOptions({
  queryKey: ['discovery'],
  queryFn: async ({ signal }) => {
    const { processor_certificate: address } = await jsonOf<{ processor_certificate: string }>('/v2/discovery', {
      signal,
    });
    const answer = await fetch(new URL(address).pathname, { signal });
    if (!answer.ok) throw await problemOf(answer);
    return answer.text();
  },
  staleTime: Infinity,
});

/** The header of a controller's calls. */
export const authorizationOf = ({ key, secret }: Sandbox): string => `Basic ${toBase64(utf8(`${key}:${secret}`))}`;

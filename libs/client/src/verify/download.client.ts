import { readUpTo } from '../bytes';

export interface Network {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

/** Follows no redirects. Rejects with an Error that names the address and the fault. */
export async function download(url: URL, limitBytes: number, { fetch, timeoutMs }: Network): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url.href, { redirect: 'manual', signal });
    if (response.status !== 200 || response.redirected) {
      await response.body?.cancel();
      throw new DownloadError(response.status === 200 ? 'was redirected' : `answered ${String(response.status)}`);
    }
    const body = response.body ? await readUpTo(response.body, limitBytes) : Buffer.alloc(0);
    if (!body) throw new DownloadError(`is larger than ${String(limitBytes)} bytes`);
    return body;
  } catch (error) {
    throw new Error(`${url.href} ${reasonOf(error, signal)}`, { cause: error });
  }
}

class DownloadError extends Error {}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof DownloadError) return error.message;
  if (signal.aborted) return 'did not answer in time';
  const { code } = ((error as Error | undefined)?.cause ?? {}) as { code?: unknown };
  return `cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`;
}

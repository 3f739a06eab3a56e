import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { finished } from 'node:stream/promises';

export interface Arrived {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export type Forwarded =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Headers of one connection (RFC 9110, 7.6.1); the target gets its own. */
const OF_ONE_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
]);

/** Posts a callback unchanged to another address. Follows no redirect and never rejects. */
export async function forward(target: URL, { rawHeaders, body }: Arrived, timeoutMs: number): Promise<Forwarded> {
  const headers = [
    ...endToEnd(rawHeaders),
    'Host',
    target.host,
    'Content-Length',
    String(body.length),
    'Connection',
    'close',
  ];
  const request = target.protocol === 'https:' ? requestTls : requestPlain;
  try {
    const sent = request(target, { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs), agent: false });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    // Only the status counts; a failure in the rest of the answer is ignored.
    await finished(answer.resume()).catch(() => {});
    return { kind: 'answered', status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    return { kind: 'failed', reason: code === 'ABORT_ERR' ? `no answer within ${timeoutMs} ms` : (code ?? name) };
  }
}

const endToEnd = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, i) => !OF_ONE_CONNECTION.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()));

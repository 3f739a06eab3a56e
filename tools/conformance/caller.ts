import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import type { Answer } from './answer';
import { Undecided } from './checks';
import { Pace } from './pace';

interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface CallerOptions {
  /** Authorities trusted for TLS beside the public ones, PEM. */
  readonly authorityPem?: string;
  /** Zero: no limit. */
  readonly callsPerMinute: number;
}

const AT_ONCE = 32;
const ANSWER_TIMEOUT_MS = 30_000;
/** Where a processor does not say how long to wait. */
const PAUSE_SECONDS = 2;
/** For one call, over all its tries. */
const MAX_PAUSE_SECONDS = 180;

/** The one way to the processor: paced, and patient with 429. */
export class Caller {
  /** `Retry-After` of every 429 that was met; null: there was none. */
  readonly throttled: (string | null)[] = [];
  count = 0;
  private readonly pace: Pace;
  private readonly plain = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  private readonly tls: TlsAgent;

  constructor({ authorityPem, callsPerMinute }: CallerOptions) {
    this.pace = new Pace(callsPerMinute);
    this.tls = new TlsAgent({
      keepAlive: true,
      maxSockets: AT_ONCE,
      ...(authorityPem !== undefined && { ca: [...rootCertificates, authorityPem] }),
    });
  }

  /** How many calls had to wait, for the processor's sake or for the pace. */
  get waits(): number {
    return this.pace.waits;
  }

  /** Throws Undecided where the processor keeps asking for pauses, and what the connection throws. */
  async send(call: Call): Promise<Answer> {
    for (let pausedSeconds = 0; ;) {
      await this.pace.turn();
      this.count++;
      const answer = await this.exchange(call);
      if (answer.status !== 429) return answer;
      const wanted = answer.headers['retry-after'];
      this.throttled.push(wanted ?? null);
      const seconds = Number(wanted ?? PAUSE_SECONDS) || PAUSE_SECONDS;
      pausedSeconds += seconds;
      if (pausedSeconds > MAX_PAUSE_SECONDS)
        throw new Undecided(`the processor answers 429 and wants a pause of ${String(pausedSeconds)} s`);
      this.pace.pause(seconds * 1_000);
    }
  }

  close(): void {
    this.plain.destroy();
    this.tls.destroy();
  }

  private async exchange(call: Call): Promise<Answer> {
    try {
      return await this.once(call);
    } catch (error) {
      // A connection that the other side had closed while it was idle.
      if (!(error instanceof IdleConnectionClosed)) throw error;
      return this.once(call);
    }
  }

  private async once({ method, url, headers, body }: Call): Promise<Answer> {
    const isTls = url.startsWith('https:');
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method,
      agent: isTls ? this.tls : this.plain,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    });
    sent.setTimeout(ANSWER_TIMEOUT_MS, () =>
      sent.destroy(new Error(`no answer within ${String(ANSWER_TIMEOUT_MS / 1_000)} s`)),
    );
    sent.end(body);
    const [answer] = (await once(sent, 'response').catch((error: unknown) => {
      throw sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        ? new IdleConnectionClosed()
        : error;
    })) as [IncomingMessage];
    // A server may refuse a body before it has read it to its end.
    sent.on('error', () => undefined);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
  }
}

class IdleConnectionClosed extends Error {}

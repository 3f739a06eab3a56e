import { createSecureContext, getCACertificates } from 'node:tls';
import { allowsProtocol, checkLiteral, EgressRefused, guardedLookup, type EgressPolicy } from '@opendsr-service/edge';
import { Agent, buildConnector, request } from 'undici';
import { outcomeOf, type FailureReason, type Outcome } from './outcome';

/** Limits of one try. */
export interface SendLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  /** From first to last; the lease of a lane is longer. */
  readonly totalMs: number;
}

export const SEND_LIMITS: SendLimits = { connectMs: 5_000, headersMs: 10_000, bodyMs: 5_000, totalMs: 15_000 };
/** So much of an answer is read, and thrown away, for the sake of the connection. */
const ANSWER_BYTES = 65_536;

export interface BuiltCallback {
  /** Whose callback it is: some workspaces show a certificate of their own. */
  readonly ws: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Posts callbacks; it never rejects. */
export type CallbackSender = Pick<CallbacksClient, 'post' | 'close'>;

/**
 * Posts callbacks over TLS that is always verified, to addresses that the policy allows; without TLS only to hosts that an operator names. It
 * follows no redirect and no proxy.
 */
export class CallbacksClient {
  private readonly agent: Agent;

  /** `extraCa`: certificates (PEM) that are trusted beside those that Node trusts. */
  constructor(
    policy: EgressPolicy,
    extraCa: string | undefined,
    private readonly limits: SendLimits = SEND_LIMITS,
  ) {
    const { connectMs, headersMs, bodyMs } = limits;
    const connect = buildConnector({
      timeout: connectMs,
      lookup: guardedLookup(policy),
      rejectUnauthorized: true,
      allowH2: false,
      // Made once: a context of a hundred authorities costs more than the rest of a connection.
      ...(extraCa !== undefined && { secureContext: createSecureContext({ ca: [...getCACertificates('default'), extraCa] }) }),
    });
    this.agent = new Agent({
      connect: (options, callback) => {
        try {
          checkLiteral(options.hostname, policy);
          if (!allowsProtocol(options.protocol, options.hostname, policy)) throw new EgressRefused();
        } catch (error) {
          callback(error as Error, null);
          return;
        }
        connect(options, callback);
      },
      headersTimeout: headersMs,
      bodyTimeout: bodyMs,
    });
  }

  /** Never throws: whatever goes wrong between here and the receiver is an outcome. */
  async post({ url, headers, body }: BuiltCallback): Promise<Outcome> {
    const signal = AbortSignal.timeout(this.limits.totalMs);
    const began = performance.now();
    const durationMs = () => Math.round(performance.now() - began);
    try {
      const answer = await request(url, { dispatcher: this.agent, method: 'POST', headers, body, signal });
      const retryAfter = answer.headers['retry-after'];
      const outcome = outcomeOf(answer.statusCode, typeof retryAfter === 'string' ? retryAfter : undefined, durationMs());
      // The status is the answer; a body that breaks off or never ends changes nothing.
      await answer.body.dump({ limit: ANSWER_BYTES, signal }).catch(() => undefined);
      return outcome;
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error), durationMs: durationMs() };
    }
  }

  /** Lets go of all connections; call it when nothing is being sent. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
const TIMEOUT = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

function reasonOf(error: unknown): FailureReason {
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (error instanceof EgressRefused) return 'address-refused';
  if (name === 'TimeoutError' || TIMEOUT.test(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'certificate' : 'unreachable';
}

import { secureContext } from '@opendsr-service/config';
import { EgressRefused, egressSources, type EgressPolicy, type EgressSources } from '@opendsr-service/edge';
import { type Logger, tracedCall } from '@opendsr-service/service';
import { request } from 'undici';
import { readIdentities } from '../egress/client-identities.store';
import { guardedAgent, type AgentLimits } from '../egress/guarded-agent.client';
import { WorkspaceAgents } from '../egress/workspace-agents.client';
import { outcomeOf, type FailureReason, type TryOutcome } from './outcome';

export interface SendLimits extends AgentLimits {
  /** Of the whole attempt; the claim lasts longer. */
  readonly totalMs: number;
  /** Of the answer that is read and discarded, to keep the connection. */
  readonly answerBytes: number;
}

export interface SignedCallback {
  readonly ws: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Sending {
  readonly policy: EgressPolicy;
  readonly limits: SendLimits;
  /** PEM certificates, trusted beside those of Node. */
  readonly extraCa: string | undefined;
  readonly clientCertDir: string | undefined;
  readonly userAgent: string;
}

export type CallbackSender = Pick<CallbacksClient, 'post' | 'close'>;

/**
 * Posts over verified TLS to allowed addresses; without TLS only to hosts that the operator names. No redirects, no
 * proxy.
 */
export class CallbacksClient {
  private readonly agents: WorkspaceAgents;
  private readonly limits: SendLimits;
  /** Some firewalls refuse requests without these headers. */
  private readonly headers: Readonly<Record<string, string>>;

  /** `sources` resolves addresses; by default this machine and its DNS. */
  constructor(
    { policy, limits, extraCa, clientCertDir, userAgent }: Sending,
    log: Pick<Logger, 'info' | 'warn'>,
    sources: EgressSources = egressSources({ timeoutMs: limits.connectMs / 2 }),
  ) {
    this.limits = limits;
    this.headers = { 'User-Agent': userAgent, Accept: '*/*' };
    const authorities = extraCa === undefined ? undefined : [extraCa];
    this.agents = new WorkspaceAgents({
      agentFor: (identity) => guardedAgent(policy, sources, limits, secureContext(authorities, identity)),
      read: clientCertDir === undefined ? undefined : () => readIdentities(clientCertDir),
      log,
    });
  }

  async refresh(): Promise<void> {
    await this.agents.refresh();
  }

  /** Never rejects: every failure is an outcome. */
  post(callback: SignedCallback): Promise<TryOutcome> {
    // The trace context is not sent: a receiver gets the signed callback only.
    return tracedCall({ method: 'POST', route: 'callback', statusOf: ({ status }: TryOutcome) => status }, () =>
      this.tryOnce(callback),
    );
  }

  /** Call it when no callback is under way. */
  async close(): Promise<void> {
    await this.agents.close();
  }

  private async tryOnce({ ws, url, headers, body }: SignedCallback): Promise<TryOutcome> {
    const { totalMs, bodyMs, answerBytes } = this.limits;
    const signal = AbortSignal.timeout(totalMs);
    const began = performance.now();
    const durationMs = () => Math.round(performance.now() - began);
    try {
      const answer = await request(url, {
        dispatcher: this.agents.agentOf(ws),
        method: 'POST',
        headers: { ...this.headers, ...headers },
        body,
        signal,
      });
      const retryAfter = answer.headers['retry-after'];
      const outcome = outcomeOf(
        answer.statusCode,
        typeof retryAfter === 'string' ? retryAfter : undefined,
        durationMs(),
      );
      // A body that breaks off or never ends changes nothing: the status counts.
      await answer.body
        .dump({ limit: answerBytes, signal: AbortSignal.any([signal, AbortSignal.timeout(bodyMs)]) })
        .catch(() => undefined);
      return outcome;
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error), durationMs: durationMs() };
    }
  }
}

const TLS_CODE =
  /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
const TIMEOUT = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ETIMEOUT|ECANCELLED)$/;

function reasonOf(error: unknown): FailureReason {
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (error instanceof EgressRefused) return 'address-refused';
  if (name === 'TimeoutError' || TIMEOUT.test(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'certificate' : 'unreachable';
}

import { EgressRefused, egressSources, type EgressPolicy, type EgressSources } from '@opendsr-service/edge';
import { type Logger, tracedCall } from '@opendsr-service/service';
import { request } from 'undici';
import { readIdentities } from '../egress/client-identities.store';
import { clientContext } from '../egress/client-identity.client';
import { guardedAgent, type AgentLimits } from '../egress/guarded-agent.client';
import { WorkspaceAgents } from '../egress/workspace-agents.client';
import { outcomeOf, type FailureReason, type TryOutcome } from './outcome';

/** Limits of one try. */
export interface SendLimits extends AgentLimits {
  /** From first to last, whatever the others say; the lease of a destination is longer. */
  readonly totalMs: number;
  /** So much of an answer is read, and thrown away, for the sake of the connection. */
  readonly answerBytes: number;
}

export interface SignedCallback {
  /** Whose callback it is: some workspaces show a certificate of their own. */
  readonly ws: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What callbacks are sent by. */
export interface Sending {
  readonly policy: EgressPolicy;
  readonly limits: SendLimits;
  /** Certificates (PEM) that are trusted beside those that Node trusts. */
  readonly extraCa: string | undefined;
  /** The folder of the certificates that workspaces show (mutual TLS). */
  readonly clientCertDir: string | undefined;
  /** What callbacks call their sender. */
  readonly userAgent: string;
}

/** Posts callbacks; it never rejects. */
export type CallbackSender = Pick<CallbacksClient, 'post' | 'close'>;

/**
 * Posts callbacks over TLS that is always verified, to addresses that the policy allows; without TLS only to hosts that an operator names. It
 * follows no redirect and no proxy.
 */
export class CallbacksClient {
  private readonly agents: WorkspaceAgents;
  private readonly limits: SendLimits;
  /** Of every callback. Some firewalls refuse calls without them; any answer will do, as only its status counts. */
  private readonly headers: Readonly<Record<string, string>>;

  /** `sources`: where addresses come from, by default this machine and its DNS. */
  constructor(
    { policy, limits, extraCa, clientCertDir, userAgent }: Sending,
    log: Pick<Logger, 'info' | 'warn'>,
    sources: EgressSources = egressSources({ timeoutMs: limits.connectMs / 2 }),
  ) {
    this.limits = limits;
    this.headers = { 'User-Agent': userAgent, Accept: '*/*' };
    this.agents = new WorkspaceAgents({
      agentFor: (identity) => guardedAgent(policy, sources, limits, clientContext(extraCa, identity)),
      read: clientCertDir === undefined ? undefined : () => readIdentities(clientCertDir),
      log,
    });
  }

  /** Reads the certificates that workspaces show; once before the first callback, and now and then after it. */
  async refresh(): Promise<void> {
    await this.agents.refresh();
  }

  /** Never throws: whatever goes wrong between here and the receiver is an outcome. */
  post(callback: SignedCallback): Promise<TryOutcome> {
    // Its receiver is told nothing of the trace: what we call things inside is none of its business, and a callback is what was signed, no more.
    return tracedCall({ method: 'POST', route: 'callback', statusOf: ({ status }: TryOutcome) => status }, () =>
      this.tryOnce(callback),
    );
  }

  /** Lets go of all connections; call it when nothing is being sent. */
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
      // The status is the answer; a body that breaks off, drips or never ends changes nothing.
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
/** Of connections and answers; of look-ups, by DNS itself and by our own patience. */
const TIMEOUT = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ETIMEOUT|ECANCELLED)$/;

function reasonOf(error: unknown): FailureReason {
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (error instanceof EgressRefused) return 'address-refused';
  if (name === 'TimeoutError' || TIMEOUT.test(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'certificate' : 'unreachable';
}

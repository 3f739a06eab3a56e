import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { checkTarget, guardedLookup, type EgressPolicy, type EgressSources } from '@opendsr-service/edge';

export interface AgentLimits {
  readonly connectMs: number;
  /** From the end of a call to the headers of its answer; each hint (1xx) begins it again. */
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly connections: number;
}

export interface GuardedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Shorter than receivers and load balancers keep idle connections: a call on one that just ended fails. */
const IDLE_MS = 4_000;
/** About 2 KiB each. */
const KEPT_SESSIONS = 1_000;

/** TLS counts as a part of it. */
function limitConnecting(agent: PlainAgent, connected: 'connect' | 'secureConnect', withinMs: number): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args);
    const timer = setTimeout(() => socket?.destroy(timedOut()), withinMs);
    for (const event of [connected, 'close']) socket?.once(event, () => clearTimeout(timer));
    return socket;
  };
}

const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

/**
 * Verified TLS, HTTP/1.1, no proxy, allowed targets only. The checked address is the one that is dialled. On Node's own
 * client, because undici takes a 100 that it did not ask for as a broken answer.
 */
export class GuardedAgent {
  private readonly plain: PlainAgent;
  private readonly tls: TlsAgent;

  constructor(
    private readonly policy: EgressPolicy,
    private readonly sources: EgressSources,
    private readonly limits: AgentLimits,
    secureContext: SecureContext,
  ) {
    const options = {
      keepAlive: true,
      timeout: IDLE_MS,
      maxSockets: limits.connections,
      lookup: guardedLookup(policy, sources),
    };
    this.plain = new PlainAgent(options);
    this.tls = new TlsAgent({
      ...options,
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      maxCachedSessions: KEPT_SESSIONS,
    });
    limitConnecting(this.plain, 'connect', limits.connectMs);
    limitConnecting(this.tls, 'secureConnect', limits.connectMs);
  }

  /** Resolves with the headers of the final answer. Rejects with EgressRefused for a target that is not allowed. */
  async post(address: string, { headers, body, signal }: GuardedCall): Promise<IncomingMessage> {
    const url = new URL(address);
    checkTarget(url, this.policy, this.sources);
    // The end of an idle connection is noticed before it would be used again: between two turns all that came is read.
    await nextTurn();
    await nextTurn();
    // Without a time of its own a call would have that of idle connections.
    const options = { method: 'POST', headers, signal, timeout: 0 };
    return new Promise((resolve, reject) => {
      const call =
        url.protocol === 'https:'
          ? tlsRequest(url, { ...options, agent: this.tls })
          : plainRequest(url, { ...options, agent: this.plain });
      let timer: NodeJS.Timeout | undefined;
      call
        .once('finish', () => {
          timer = setTimeout(() => call.destroy(timedOut()), this.limits.headersMs);
        })
        .on('information', () => timer?.refresh())
        .once('response', (answer) => {
          clearTimeout(timer);
          resolve(answer);
        })
        .once('error', reject)
        .once('close', () => {
          clearTimeout(timer);
          reject(new Error('closed without an answer'));
        })
        .end(body);
    });
  }

  /** Ends all connections. One that is no longer used needs no end: its connections end when they were idle. */
  destroy(): void {
    this.plain.destroy();
    this.tls.destroy();
  }
}

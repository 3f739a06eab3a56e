import type { SecureContext } from 'node:tls';
import { checkTarget, guardedLookup, type EgressPolicy, type EgressSources } from '@opendsr-service/edge';
import { Agent, buildConnector } from 'undici';

/** Limits of connections, and of one try on them. */
export interface AgentLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  /** The most connections to one host and port. */
  readonly connections: number;
}

/** However long a receiver offers to keep a connection. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Connections over TLS that is always verified, to addresses, ports and protocols that the policy allows; HTTP/1.1 alone, without any proxy.
 * Each connection is checked, and what was checked is what is dialled.
 */
export function guardedAgent(
  policy: EgressPolicy,
  sources: EgressSources,
  { connectMs, headersMs, bodyMs, connections }: AgentLimits,
  secureContext: SecureContext,
): Agent {
  const connect = buildConnector({
    timeout: connectMs,
    lookup: guardedLookup(policy, sources),
    rejectUnauthorized: true,
    allowH2: false,
    secureContext,
  });
  return new Agent({
    connect: (options, callback) => {
      try {
        checkTarget(options, policy, sources);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      connect(options, callback);
    },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections,
  });
}

import type { SecureContext } from 'node:tls';
import { checkTarget, guardedLookup, type EgressPolicy, type EgressSources } from '@opendsr-service/edge';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';

export interface AgentLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly connections: number;
}

/** Upper limit, whatever the receiver offers. */
const KEEP_ALIVE_MS = 60_000;
/** About 2 KiB each. */
const KEPT_SESSIONS = 1_000;

/** Verified TLS, HTTP/1.1, no proxy, allowed targets only. The checked address is the one that is dialled. */
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
    maxCachedSessions: KEPT_SESSIONS,
  });
  // undici refers to sessions weakly: those that nobody else holds would be gone before the next callback of their host.
  const sessions = new LRUCache<string, Buffer>({ max: KEPT_SESSIONS });
  return new Agent({
    connect: (options, callback) => {
      try {
        checkTarget(options, policy, sources);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      connect(options, (...connected) => {
        connected[1]?.on('session', (session: Buffer) => sessions.set(options.servername ?? options.hostname, session));
        callback(...connected);
      });
    },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections,
  });
}

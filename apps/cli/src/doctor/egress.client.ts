import { isIP } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import {
  callbackUrlFault,
  checkTarget,
  egressSources,
  EgressRefused,
  guardedLookup,
  type EgressPolicy,
} from '@opendsr-service/edge';
import { fail, ok, warn, type Finding } from './finding';

const CHECK = 'egress';
const CONNECT_WITHIN_MS = 5_000;

/** What the operator allowed for callbacks beside the public internet. */
export function rulesFinding({ allowance: { hosts, cidrs, ports, loopback } }: EgressPolicy): Finding {
  const extra = [...hosts, ...cidrs, ...(loopback ? ['this machine'] : [])];
  return ok(
    CHECK,
    `callbacks may go to the public internet on port ${ports.join(', ')}${extra.length > 0 ? `, and to ${extra.join(', ')}` : ''}`,
  );
}

/** Whether a callback from this machine could reach a host: checks rules, DNS and TLS. Sends nothing. */
export async function reachFinding(url: URL, policy: EgressPolicy, tls: SecureContext): Promise<Finding> {
  const { host, protocol } = url;
  const fault = callbackUrlFault(url.href, policy);
  if (fault !== undefined)
    return fail(
      CHECK,
      `${host}: such a URL ${fault}`,
      'allow it with CALLBACK_ALLOW_HOSTS, _CIDRS or _PORTS, if intended',
    );
  if (protocol !== 'https:')
    return warn(CHECK, `${host}: it is allowed, but without TLS; it was not called`, 'use an https address');
  try {
    await shakeHands(url, policy, tls);
    return ok(CHECK, `${host}: the rules allow it, and its certificate is trusted`);
  } catch (error) {
    if (error instanceof EgressRefused)
      return fail(
        CHECK,
        `${host}: its addresses are refused`,
        'allow them with CALLBACK_ALLOW_HOSTS or CALLBACK_ALLOW_CIDRS, if intended',
      );
    return fail(
      CHECK,
      `${host}: it cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'failed'})`,
      'check DNS, firewall and certificate: callbacks go this way; CALLBACK_CA_FILE names an authority ' +
        'that is trusted beside the public ones',
    );
  }
}

function shakeHands(
  { protocol, hostname, port }: URL,
  policy: EgressPolicy,
  secureContext: SecureContext,
): Promise<void> {
  const sources = egressSources({ timeoutMs: CONNECT_WITHIN_MS / 2 });
  checkTarget({ protocol, hostname, port }, policy, sources);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const at = {
      host,
      port: port === '' ? 443 : Number(port),
      lookup: guardedLookup(policy, sources),
      ...(isIP(host) === 0 && { servername: host }),
    };
    const socket = connect({ ...at, secureContext, rejectUnauthorized: true }, resolve);
    socket.once('error', reject);
    // `timeout` counts from the last traffic, so a slow server could exceed it.
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })),
      CONNECT_WITHIN_MS,
    );
    socket.once('secureConnect', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  });
}

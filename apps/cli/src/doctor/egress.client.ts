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

/** What an operator opened for callbacks beside the public internet. */
export function rulesFinding({ allowance: { hosts, cidrs, ports, loopback } }: EgressPolicy): Finding {
  const extra = [...hosts, ...cidrs, ...(loopback ? ['this machine'] : [])];
  return ok(
    CHECK,
    `callbacks may go to the public internet on port ${ports.join(', ')}${extra.length > 0 ? `, and to ${extra.join(', ')}` : ''}`,
  );
}

/** Whether a callback from this machine would get to a host: by the rules, by DNS and by the TLS of callbacks. Nothing is sent. */
export async function reachFinding(url: URL, policy: EgressPolicy, tls: SecureContext): Promise<Finding> {
  const { host, protocol } = url;
  const fault = callbackUrlFault(url.href, policy);
  if (fault !== undefined)
    return fail(
      CHECK,
      `${host}: such a URL ${fault}`,
      'open it with CALLBACK_ALLOW_HOSTS, _CIDRS or _PORTS, if it is meant',
    );
  if (protocol !== 'https:')
    return warn(CHECK, `${host}: it is allowed, without TLS, and was not called`, 'give it an https address');
  try {
    await shakeHands(url, policy, tls);
    return ok(CHECK, `${host}: the rules allow it, and it answers with a certificate that is trusted`);
  } catch (error) {
    if (error instanceof EgressRefused)
      return fail(
        CHECK,
        `${host}: its addresses are refused`,
        'open them with CALLBACK_ALLOW_HOSTS or CALLBACK_ALLOW_CIDRS, if it is meant',
      );
    return fail(
      CHECK,
      `${host}: it cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'failed'})`,
      'see DNS, firewall and certificate: callbacks go this way; CALLBACK_CA_FILE names an authority ' +
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
    // `timeout` counts from the last traffic, and would let a slow server go on for long.
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })),
      CONNECT_WITHIN_MS,
    );
    socket.once('secureConnect', () => socket.destroy());
    socket.once('close', () => clearTimeout(timer));
  });
}

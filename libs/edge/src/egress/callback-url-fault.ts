import { isIP } from 'node:net';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, allowsPort, allowsProtocol, nameOf, type EgressPolicy } from './egress-policy';
import { isPublicName } from './public-name';

export const REFUSED_HOST = 'names a host that callbacks are not sent to';

const MAX_URL_CHARS = 2_048;

/** What is wrong with a callback URL before its name is resolved (protocol, "status_callback_urls"). */
export function callbackUrlFault(url: string, policy: EgressPolicy): string | undefined {
  if (url.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  // The URL parser drops or repairs these, so two readers could see two addresses.
  if (/[\s\\\p{Cc}]/u.test(url) || !URL.canParse(url)) return 'is not a URL';
  const { protocol, hostname, port } = new URL(url);
  if (!allowsProtocol(protocol, hostname, policy)) return 'does not begin with https://';
  if (!/^https?:\/\/[^/]/i.test(url)) return 'is not a URL';
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return 'holds credentials';
  if (url.includes('#')) return 'has a fragment';
  if (isRefusedHost(nameOf(hostname), policy)) return REFUSED_HOST;
  return allowsPort(port, hostname, policy) ? undefined : 'names a port that callbacks are not sent to';
}

function isRefusedHost(host: string, policy: EgressPolicy): boolean {
  if (allowsHost(host, policy)) return false;
  return isIP(host) === 0 ? !isPublicName(host) : isBlockedAddress(host, policy);
}

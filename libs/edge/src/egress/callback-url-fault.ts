import { isIP } from 'node:net';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, allowsPort, allowsProtocol, nameOf, type EgressPolicy } from './egress-policy';
import { isPublicName } from './public-name';

/** What is said of a host that is refused, whether that shows in its URL or by its addresses. */
export const REFUSED_HOST = 'names a host that callbacks are not sent to';

const MAX_URL_CHARS = 2_048;

/**
 * What is wrong with the URL of a callback, in words for the controller; undefined: nothing that shows before its name is
 * resolved (protocol, "status_callback_urls"). Good manners, not the boundary: that is checked at each connection.
 */
export function callbackUrlFault(url: string, policy: EgressPolicy): string | undefined {
  if (url.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  // The URL parser silently drops or repairs these, and then two readers would see two addresses.
  if (/[\s\\\p{Cc}]/u.test(url) || !URL.canParse(url)) return 'is not a URL';
  const { protocol, hostname, port } = new URL(url);
  if (!allowsProtocol(protocol, hostname, policy)) return 'does not begin with https://';
  if (!/^https?:\/\/[^/]/i.test(url)) return 'is not a URL';
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return 'holds credentials';
  if (url.includes('#')) return 'has a fragment';
  if (isRefusedHost(nameOf(hostname), policy)) return REFUSED_HOST;
  return allowsPort(port, hostname, policy) ? undefined : 'names a port that callbacks are not sent to';
}

/** Whether the host shows by itself that it must not be called: a refused address, or a name that cannot be public. */
function isRefusedHost(host: string, policy: EgressPolicy): boolean {
  if (allowsHost(host, policy)) return false;
  return isIP(host) === 0 ? !isPublicName(host) : isBlockedAddress(host, policy);
}

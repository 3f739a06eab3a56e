import { getCACertificates } from 'node:tls';
import { Agent, fetch as fetchBy, type RequestInit as InitOfPackage } from 'undici';

/** `fetch` that also takes certificates of these authorities (PEM). */
export function fetchTrusting(authorities: readonly string[]): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: [...getCACertificates('default'), ...authorities] } });
  // Node's own `fetch` is an older version of the package, with types of its own.
  return (url, init) => fetchBy(url as string, { ...(init as InitOfPackage | undefined), dispatcher });
}

import { getCACertificates } from 'node:tls';
import { Agent, fetch as fetchBy, type RequestInit as InitOfPackage } from 'undici';

/** `fetch` that takes certificates of Node's authorities and of these (PEM), and no other ones, whatever the environment says. */
export function fetchTrusting(authorities: readonly string[]): typeof fetch {
  const dispatcher = new Agent({
    connect: { rejectUnauthorized: true, ca: [...getCACertificates('default'), ...authorities] },
  });
  // Node's own `fetch` is an older version of the package, with types of its own.
  return (url, init) => fetchBy(url as string, { ...(init as InitOfPackage | undefined), dispatcher });
}

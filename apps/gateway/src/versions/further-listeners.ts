import { V1, type ProtocolVersion } from '@opendsr-service/contracts';
import type { MountOptions } from '@opendsr-service/service';
import { isWithin, openPaths, requestsPath } from './routes';

/**
 * Whether the pattern of a route belongs to one version of the protocol. Other services may have routes under the same root, and the
 * API documents of all versions stay beside the page that shows them.
 */
export const isRouteOf = (version: ProtocolVersion): ((routePattern: string) => boolean) =>
  isWithin([requestsPath(version), ...openPaths(version)]);

/** The listener of version 1, where it has a port of its own and is served at all. */
export const furtherListeners = ({
  SERVE_V1,
  PORT_V1,
}: {
  readonly SERVE_V1: boolean;
  readonly PORT_V1: number | undefined;
}): NonNullable<MountOptions['furtherListeners']> =>
  SERVE_V1 && PORT_V1 !== undefined ? [{ port: PORT_V1, owns: isRouteOf(V1) }] : [];

import { V1, type ProtocolVersion } from '@opendsr-service/contracts';
import type { MountOptions } from '@opendsr-service/service';
import { isWithin, openPaths, requestsPath } from './routes';

/** Other services may have routes under the same root; API documents stay on the main port. */
export const isRouteOf = (version: ProtocolVersion): ((routePattern: string) => boolean) =>
  isWithin([requestsPath(version), ...openPaths(version)]);

/** The listener of version 1, if it has its own port. */
export const furtherListeners = ({
  SERVE_V1,
  PORT_V1,
}: {
  readonly SERVE_V1: boolean;
  readonly PORT_V1: number | undefined;
}): NonNullable<MountOptions['furtherListeners']> =>
  SERVE_V1 && PORT_V1 !== undefined ? [{ port: PORT_V1, owns: isRouteOf(V1) }] : [];

import { V1, type ProtocolVersion } from '@opendsr-service/contracts';
import type { MountOptions } from '@opendsr-service/service';
import { isConsolePath, isOperatorPath } from './operator-paths';
import { isWithin, openPaths, requestsPath, TRANSPARENCY_PATH } from './routes';

/** Other services may have routes under the same root; API documents stay on the main port. */
export const isRouteOf = (version: ProtocolVersion): ((routePattern: string) => boolean) =>
  isWithin([requestsPath(version), ...openPaths(version)]);

/** The listeners of version 1, and of the operator's API with the console, where these have a port of their own. */
export const furtherListeners = ({
  SERVE_V1,
  PORT_V1,
  OPERATOR_PORT,
}: {
  readonly SERVE_V1: boolean;
  readonly PORT_V1: number | undefined;
  readonly OPERATOR_PORT: number | undefined;
}): NonNullable<MountOptions['furtherListeners']> => [
  ...(SERVE_V1 && PORT_V1 !== undefined ? [{ port: PORT_V1, owns: isRouteOf(V1) }] : []),
  ...(OPERATOR_PORT !== undefined
    ? [
        {
          port: OPERATOR_PORT,
          owns: (path: string) => isOperatorPath(path) || isConsolePath(path),
          // The console audits the public log, and its pages may ask no other host.
          shares: isWithin([TRANSPARENCY_PATH]),
        },
      ]
    : []),
];

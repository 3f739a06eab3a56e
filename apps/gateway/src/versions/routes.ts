import type { ProtocolVersion } from '@opendsr-service/contracts';

/** Where the requests of a version are; with credentials. */
export const requestsPath = ({ root, requestsRoute }: ProtocolVersion): string => `/${root}/${requestsRoute}`;

/** What a version serves to anybody. */
export const openPaths = ({ root }: ProtocolVersion): readonly string[] =>
  ['discovery', 'certificates', 'results'].map((name) => `/${root}/${name}`);

/** Whether a path, or the pattern of a route, is one of these or lies below one. */
export const isWithin =
  (resources: readonly string[]) =>
  (path: string): boolean =>
    resources.some((resource) => path === resource || path.startsWith(`${resource}/`));

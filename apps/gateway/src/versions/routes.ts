import type { ProtocolVersion } from '@opendsr-service/contracts';

/** Needs credentials. */
export const requestsPath = ({ root, requestsRoute }: ProtocolVersion): string => `/${root}/${requestsRoute}`;

/** Need no credentials. */
export const openPaths = ({ root }: ProtocolVersion): readonly string[] =>
  ['discovery', 'certificates', 'results'].map((name) => `/${root}/${name}`);

/** Needs no credentials and belongs to no version. */
export const TRANSPARENCY_PATH = '/transparency';

export const isWithin =
  (resources: readonly string[]) =>
  (path: string): boolean =>
    resources.some((resource) => path === resource || path.startsWith(`${resource}/`));

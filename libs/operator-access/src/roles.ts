import type { OPERATOR_ROLES } from '@opendsr-service/config';

export type Role = (typeof OPERATOR_ROLES)[number];

/** The roles that allow each kind of call. An officer decides about requests and an operator runs the service: neither is the other's superior. */
const ALLOWED = {
  read: ['viewer', 'operator', 'officer', 'admin'],
  repair: ['operator', 'admin'],
  decide: ['officer', 'admin'],
  reveal: ['officer', 'admin'],
  audit: ['officer', 'admin'],
  administer: ['admin'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/**
 * `read` shows, `repair` repeats what failed, `decide` changes what becomes of a request, `reveal` shows whom it is about,
 * `audit` shows what operators did and why, `administer` makes and ends access of controllers.
 */
export type Permission = keyof typeof ALLOWED;

/** Every permission. */
export const PERMISSIONS = Object.keys(ALLOWED) as readonly Permission[];

/** What a role allows. */
export const permissionsOf = (role: Role): readonly Permission[] =>
  PERMISSIONS.filter((permission) => rolesFor(permission).includes(role));

/** The roles that allow it. */
export const rolesFor = (permission: Permission): readonly Role[] => ALLOWED[permission];

/** A role, in one workspace or in all of them. */
export interface Grant {
  readonly role: Role;
  /** Absent: all workspaces. */
  readonly ws?: string;
}

const allows = (permission: Permission, { role }: Grant): boolean => rolesFor(permission).includes(role);

/** Whether the grants allow it in any workspace. */
export const mayAnywhere = (grants: readonly Grant[], permission: Permission): boolean =>
  grants.some((grant) => allows(permission, grant));

/** The role by which the grants allow it in this workspace. */
export const roleIn = (grants: readonly Grant[], permission: Permission, ws: string): Role | undefined =>
  grants.find((grant) => allows(permission, grant) && (grant.ws === undefined || grant.ws === ws))?.role;

/** The workspaces in which the grants allow it. */
export function workspacesFor(grants: readonly Grant[], permission: Permission): 'all' | readonly string[] {
  const allowed = grants.filter((grant) => allows(permission, grant)).map(({ ws }) => ws);
  return allowed.includes(undefined) ? 'all' : [...new Set(allowed as string[])].sort();
}

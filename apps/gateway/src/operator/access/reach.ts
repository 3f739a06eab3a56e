import { forbidden } from '@opendsr-service/edge';
import { roleIn, workspacesFor, type Operator, type Permission, type Role } from '@opendsr-service/operator-access';

/** The workspaces that a call is about. */
export type Reach = 'all' | readonly string[];

/**
 * Where the caller has this permission, or the one workspace that is asked for. A workspace that does not exist is refused
 * like a foreign one.
 */
export function reachOf(operator: Operator, workspace?: string, permission: Permission = 'read'): Reach {
  const reached = workspacesFor(operator.grants, permission);
  if (workspace === undefined) return reached;
  if (reached !== 'all' && !reached.includes(workspace)) throw forbidden();
  return [workspace];
}

/** The role by which the caller may do this in all workspaces. Throws a 403. */
export function roleEverywhere({ grants }: Operator, permission: Permission): Role {
  const role = roleIn(
    grants.filter(({ ws }) => ws === undefined),
    permission,
    '',
  );
  if (!role) throw forbidden();
  return role;
}

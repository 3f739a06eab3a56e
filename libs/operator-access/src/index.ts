export { IdentityProvider, IdentityProviderAway, NotProved } from './identity-provider.client';
export { OneTimeLink } from './one-time-link';
export type { Operator } from './operator';
export {
  mayAnywhere,
  type Permission,
  PERMISSIONS,
  permissionsOf,
  type Role,
  roleIn,
  rolesFor,
  workspacesFor,
} from './roles';
export { isSame } from './secrets';
export { type Session, Sessions } from './sessions.store';
export { SIGN_IN_MS, SignIns } from './sign-ins.store';

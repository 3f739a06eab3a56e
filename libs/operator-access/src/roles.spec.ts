import { MAPPED_ROLE } from '@opendsr-service/config';
import { grantsOf, roleMapping } from './role-mapping';
import { mayAnywhere, roleIn, workspacesFor, type Grant, type Permission } from './roles';

const everything: readonly Permission[] = ['read', 'repair', 'decide'];

it.each([
  ['viewer', ['read']],
  ['operator', ['read', 'repair']],
  ['officer', ['read', 'decide']],
  ['admin', ['read', 'repair', 'decide']],
] as const)('lets a %s do exactly what its role is for', (role, allowed) => {
  expect(everything.filter((permission) => mayAnywhere([{ role }], permission))).toEqual(allowed);
  expect(everything.filter((permission) => roleIn([{ role, ws: 'acme' }], permission, 'acme'))).toEqual(allowed);
  expect(everything.filter((permission) => roleIn([{ role, ws: 'acme' }], permission, 'other'))).toEqual([]);
});

it('says in which workspaces, and by which role', () => {
  const grants: readonly Grant[] = [{ role: 'operator', ws: 'b' }, { role: 'officer', ws: 'a' }, { role: 'viewer' }];
  expect(everything.map((permission) => workspacesFor(grants, permission))).toEqual(['all', ['b'], ['a']]);
  expect(roleIn(grants, 'decide', 'a')).toBe('officer');
  expect(roleIn(grants, 'read', 'c')).toBe('viewer');
  expect(workspacesFor([], 'read')).toEqual([]);
});

it('maps the values of a claim to grants, and nothing else', () => {
  const mapping = roleMapping(['cn=privacy,dc=x=officer', 'team=operator@acme', 'team=viewer', 'no']);
  expect(grantsOf(mapping, ['team', 'others'])).toEqual([{ role: 'operator', ws: 'acme' }, { role: 'viewer' }]);
  expect(grantsOf(mapping, 'cn=privacy,dc=x')).toEqual([{ role: 'officer' }]);
  for (const claim of [undefined, null, 7, {}, [['team']], 'officer']) expect(grantsOf(mapping, claim)).toEqual([]);
  expect(['a=admin', 'a=viewer@acme'].every((text) => MAPPED_ROLE.test(text))).toBe(true);
  expect(
    ['a', '=admin', 'a=root', 'a=admin@', 'a=admin@Acme', 'a=viewer@-'].some((text) => MAPPED_ROLE.test(text)),
  ).toBe(false);
});

import { checkOperator, operatorSettings } from './operator-settings';
import { readSettings } from './read-settings';

const SOUND = {
  OPERATOR_PORT: '8083',
  OPERATOR_URL: 'https://operators.example.com',
  OPERATOR_OIDC_ISSUER: 'https://idp.example.com',
  OPERATOR_OIDC_CLIENT_ID: 'console',
  OPERATOR_OIDC_AUDIENCE: 'opendsr-operators',
  OPERATOR_ROLES: 'dsr-admins=admin, acme=officer@acme',
};
const PROCESS = { PORT: 8080, ADMIN_PORT: 9090, PORT_V1: undefined };

function faults(
  change: Record<string, string | undefined>,
  profile: 'sandbox' | 'production',
  mayLink = false,
): string[] {
  const given = Object.entries({ ...SOUND, ...change }).filter(([, value]) => value !== undefined);
  const values = readSettings(operatorSettings, Object.fromEntries(given));
  return checkOperator({ ...values, ...PROCESS, TIMING_PROFILE: profile }, mayLink).map(
    (fault) => fault.split(':')[0] ?? '',
  );
}
const NOTHING = Object.fromEntries(Object.keys(SOUND).map((name) => [name, undefined]));

it('is off without settings, on with all of them, and lets in by a link only a sandbox that may', () => {
  expect([faults(NOTHING, 'production'), faults({}, 'production')]).toEqual([[], []]);
  const port = { ...NOTHING, OPERATOR_PORT: '8083' };
  expect(faults(port, 'sandbox', true)).toEqual([]);
  for (const [profile, mayLink] of [
    ['production', true],
    ['sandbox', false],
  ] as const)
    expect(faults(port, profile, mayLink)).toContain('OPERATOR_OIDC_ISSUER');
  const ofItsOwn = { ...port, OPERATOR_URL: 'http://localhost:8083' };
  expect(faults(ofItsOwn, 'sandbox')).toEqual([]);
  expect(faults(ofItsOwn, 'production')).toContain('OPERATOR_OIDC_ISSUER');
});

it('is off where only its address is given, as in the compose files without a port', () => {
  const address = { ...NOTHING, OPERATOR_URL: 'http://localhost:8083' };
  for (const profile of ['sandbox', 'production'] as const)
    for (const mayLink of [true, false]) expect(faults(address, profile, mayLink)).toEqual([]);
});

it('is not off where a setting was forgotten, or has a name of another one', () => {
  for (const [name, value] of Object.entries(SOUND).filter(([name]) => name !== 'OPERATOR_URL')) {
    const missing = faults({ ...NOTHING, [name]: value }, 'production');
    expect([missing.length > 0, missing.includes(name)]).toEqual([true, false]);
  }
});

it.each([
  ['OPERATOR_PORT', { OPERATOR_PORT: undefined }],
  ['OPERATOR_URL', { OPERATOR_URL: undefined }],
  ['OPERATOR_OIDC_CLIENT_ID', { OPERATOR_OIDC_CLIENT_ID: undefined }],
  ['OPERATOR_OIDC_AUDIENCE', { OPERATOR_OIDC_AUDIENCE: undefined }],
  ['OPERATOR_ROLES', { OPERATOR_ROLES: undefined }],
  ['OPERATOR_OIDC_AUDIENCE', { OPERATOR_OIDC_AUDIENCE: 'console' }],
  ['OPERATOR_OIDC_ISSUER', { OPERATOR_OIDC_ISSUER: 'http://idp.example.com' }],
  ['OPERATOR_URL', { OPERATOR_URL: 'http://operators.example.com' }],
  ['OPERATOR_URL', { OPERATOR_URL: 'http://localhost.example.com' }],
  ['OPERATOR_OIDC_ISSUER', { OPERATOR_OIDC_ISSUER: 'http://localhost:8084' }],
  ['OPERATOR_PORT', { OPERATOR_PORT: '9090' }],
  ['OPERATOR_SESSION_IDLE_MS', { OPERATOR_SESSION_IDLE_MS: '0' }],
  ['OPERATOR_SESSION_IDLE_MS', { OPERATOR_SESSION_LONGEST_MS: '1min' }],
])('names %s as a fault of %j', (name, change) => {
  expect(faults(change, 'production')).toEqual([name]);
});

it('may be at the end of a forwarded port', () => {
  for (const OPERATOR_URL of ['http://localhost:8083', 'http://localhost', 'http://localhost/'])
    expect(faults({ OPERATOR_URL }, 'production')).toEqual([]);
});

it('refuses a role that there is not', () => {
  for (const OPERATOR_ROLES of ['dsr-admins', 'dsr-admins=root', 'dsr-admins=viewer@', '=admin'])
    expect(() => faults({ OPERATOR_ROLES }, 'production')).toThrow('OPERATOR_ROLES');
});

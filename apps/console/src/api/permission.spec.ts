import { may } from './permission';

const holding = (workspace: string | null): Parameters<typeof may>[0] => ({
  roles: [{ role: 'operator', workspace, allows: ['read', 'repair'] }],
});

it.each([
  ['anywhere', undefined, true, true],
  ['in its workspace', 'acme', true, true],
  ['in another workspace', 'sandbox', true, false],
  ['in no workspace, which needs a role in all', null, true, false],
])('knows what a role allows %s', (_where, ws, inAll, inOne) => {
  expect([may(holding(null), 'repair', ws), may(holding('acme'), 'repair', ws)]).toEqual([inAll, inOne]);
  expect(may(holding(null), 'reveal', ws)).toBe(false);
});

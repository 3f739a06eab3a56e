import { problemOf } from './problem';
import { doubtsSession } from './session-doubt';

const LIST = '/operator/v1/requests';

it.each([
  [LIST, 401, 'UnauthorizedException', true],
  ['/operator/v1/session', 401, 'UnauthorizedException', false],
  [LIST, 403, 'ForgedCallException', true],
  [LIST, 403, 'ForbiddenException', false],
  [LIST, 503, 'ServiceUnavailableException', false],
])('takes %s with %i %s for a doubt: %p', async (path, status, reason, expected) => {
  const body = { type: 'about:blank', title: 'x', status, detail: 'x', errors: [{ reason, message: 'x' }] };
  const problem = await problemOf(new Response(JSON.stringify(body), { status }));
  expect(doubtsSession(path, problem)).toBe(expected);
});

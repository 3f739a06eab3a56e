import { randomUUID } from 'node:crypto';
import { expectStatus } from '../checks';
import { inInterface, inNotes } from '../rule';
import { basic, type Session } from '../session';

/** Each call about requests, with the same headers. */
async function expectUnauthorized(session: Session, authorization: string | undefined): Promise<void> {
  const route = `/${session.version.requestsRoute}`;
  const calls = [
    ['POST', route, JSON.stringify(session.body())],
    ['GET', `${route}/${randomUUID()}`],
    ['GET', `${route}?group_id=${randomUUID()}`],
    ['DELETE', `${route}/${randomUUID()}`],
  ] as const;
  for (const [method, path, body] of calls) {
    const answer = await session.call(method, path, { as: 'nobody', headers: { authorization }, body });
    expectStatus(answer, 401, `${method} ${path.includes('?') ? 'of a group' : 'of a request'}`);
  }
}

const wrong = (session: Session) => ({ ...session.target.account, secret: randomUUID() });

export const credentialRules = [
  ...inInterface('Authentication', [
    {
      id: 'credentials.none',
      title: 'every call about requests without credentials gets 401',
      run: (session) => expectUnauthorized(session, undefined),
    },
    {
      id: 'credentials.wrong-secret',
      title: 'every call about requests with a wrong secret gets 401',
      run: (session) => expectUnauthorized(session, basic(wrong(session))),
    },
    {
      id: 'credentials.unknown-key',
      title: 'every call about requests with an unknown key gets 401',
      run: (session) =>
        expectUnauthorized(session, basic({ key: randomUUID(), secret: session.target.account.secret })),
    },
    {
      id: 'credentials.no-base64',
      title: 'a call with credentials that are not Base64 gets 401',
      run: (session) => expectUnauthorized(session, 'Basic !'),
    },
    {
      id: 'credentials.no-colon',
      title: 'a call with credentials without a colon gets 401',
      run: (session) =>
        expectUnauthorized(session, `Basic ${Buffer.from(session.target.account.key).toString('base64')}`),
    },
    {
      id: 'credentials.empty',
      title: 'a call with an empty Authorization header gets 401',
      run: (session) => expectUnauthorized(session, 'Basic'),
    },
    {
      id: 'credentials.bearer',
      title: 'a call with another scheme gets 401',
      run: (session) => expectUnauthorized(session, `Bearer ${randomUUID()}`),
    },
  ]),
  ...inNotes('Several faults at once', [
    {
      id: 'credentials.first',
      title: '401 comes before any fault of the body',
      run: async (session) => {
        expectStatus(await session.create('{', { as: wrong(session) }), 401, 'a malformed body');
        expectStatus(
          await session.create(session.body(), { as: wrong(session), headers: { 'content-type': 'text/plain' } }),
          401,
          'a body that is not JSON',
        );
      },
    },
  ]),
];

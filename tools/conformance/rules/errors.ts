import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer';
import { expectEqual, expectFields, expectStatus, expectThat, fieldsOf, type Fields } from '../checks';
import { expectJsonType, expectStrictJsonType, headerOf } from '../processor';
import { inInterface, inNotes, type Rule } from '../rule';
import type { Session } from '../session';

const LARGE_BYTES = 300_000;
/** An unknown id, for all checks of a refused status. */
const NOBODYS = randomUUID();

const conflict = async (session: Session): Promise<Answer> =>
  session.create({ ...(await session.admit()), subject_request_id: randomUUID() });
const route = ({ version }: Session, rest = ''): string => `/${version.requestsRoute}${rest}`;

/** An error of each status, made once. */
const errors: Readonly<Record<number, (session: Session) => Promise<Answer>>> = {
  400: (session) => session.create(session.body({ subject_request_type: 'x' })),
  401: (session) => session.read(NOBODYS, 'nobody'),
  404: (session) => session.read(NOBODYS),
  409: conflict,
  405: (session) => session.call('PUT', route(session, `/${NOBODYS}`), { body: '{}' }),
  413: (session) => session.create(session.body({ note: 'x'.repeat(LARGE_BYTES) })),
  415: (session) => session.create(session.body(), { headers: { 'content-type': 'text/plain' } }),
};

const errorOf = (session: Session, status: number): Promise<Answer> =>
  session.once(`error ${String(status)}`, () => errors[status]?.(session) ?? session.read(NOBODYS));

/** The interface's error body, whole, whose code is the status that it came with. */
function expectErrorBody(answer: Answer): void {
  const body = fieldsOf(answer);
  expectFields(body, { code: 'integer', message: 'string', errors: 'array' });
  expectEqual('code', body.code, answer.status);
  for (const fault of body.errors as Fields[])
    expectFields(fault, { domain: 'string', reason: 'string', message: 'string' });
}

const shape = (status: number): Omit<Rule, 'section' | 'source'> => ({
  id: `errors.body-${String(status)}`,
  title: `a ${String(status)} carries the error body`,
  run: async (session) => expectErrorBody(await errorOf(session, status)),
});

export const errorRules = [
  ...inInterface('Error body', [
    ...[400, 401, 404, 409].map(shape),
    {
      id: 'errors.content-type',
      title: 'errors are application/json',
      run: async (session) => {
        for (const status of [400, 401, 404, 409]) expectJsonType(await errorOf(session, status));
      },
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'errors.strict-content-type',
      title: 'errors are application/json; charset=utf-8',
      run: async (session) => {
        for (const status of [400, 401, 404, 405, 409, 413, 415]) expectStrictJsonType(await errorOf(session, status));
      },
    },
  ]),
  ...inNotes('Statuses outside the table', [
    {
      id: 'errors.405',
      title: 'a method that an address does not take gets 405',
      run: async (session) => expectStatus(await errorOf(session, 405), 405),
    },
    {
      id: 'errors.allow',
      title: 'a 405 names the accepted methods in Allow',
      run: async (session) => {
        const allow = headerOf(await errorOf(session, 405), 'allow')?.split(/,\s*/) ?? [];
        expectThat(
          ['GET', 'DELETE'].every((method) => allow.includes(method)) && !allow.includes('PUT'),
          'Allow to name GET and DELETE and not PUT',
          allow.join(', ') || 'none',
        );
      },
    },
    {
      id: 'errors.415',
      title: 'a body of another type than JSON gets 415',
      run: async (session) => expectStatus(await errorOf(session, 415), 415),
    },
    {
      id: 'errors.no-content-type',
      title: 'a body without Content-Type gets 415',
      run: async (session) =>
        expectStatus(await session.create(session.body(), { headers: { 'content-type': undefined } }), 415),
    },
    {
      id: 'errors.404-route',
      title: 'an unknown address gets 404, with the error body',
      run: async (session) => expectRoute404(await session.call('GET', `/${randomUUID()}`)),
    },
    ...[405, 413, 415].map(shape),
  ]),
  ...inNotes('Limits of a create', [
    {
      id: 'errors.413',
      title: 'a body of more than 256 KiB gets 413',
      run: async (session) => expectStatus(await errorOf(session, 413), 413),
    },
  ]),
  ...inNotes('Several faults at once', [
    {
      id: 'errors.415-first',
      title: '415 comes before any fault of the body',
      run: async (session) =>
        expectStatus(await session.create('{', { headers: { 'content-type': 'text/plain' } }), 415),
    },
  ]),
];

function expectRoute404(answer: Answer): void {
  expectStatus(answer, 404);
  expectErrorBody(answer);
}

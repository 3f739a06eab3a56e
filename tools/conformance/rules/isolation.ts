import { randomUUID } from 'node:crypto';
import { expectAdmitted, expectEqual, expectStatus, expectSuccess, Failure, fieldsOf, listOf } from '../checks';
import { inInterface, inNotes, type Rule } from '../rule';
import type { Account } from '../target';
import type { RequestBody, Session } from '../session';

const otherOf = ({ target: { other } }: Session): Account => {
  if (!other) throw new Failure('expected a second workspace, got none');
  return other;
};

type Written = Omit<Rule, 'section' | 'source'>;
/** A rule about a request of one workspace and the credentials of another. */
const between = (
  id: string,
  title: string,
  check: (session: Session, request: RequestBody, other: Account) => Promise<void>,
): Written => ({
  id: `isolation.${id}`,
  title,
  needs: ['other'],
  run: async (session) =>
    check(session, await session.admit({ group_id: `${session.run}-${randomUUID()}` }), otherOf(session)),
});

export const isolationRules = [
  ...inInterface('Authentication', [
    between('status', 'a request of another workspace gets 404', async (session, { subject_request_id: id }, other) =>
      expectStatus(await session.read(id, other), 404),
    ),
    between(
      'cancel',
      'a request of another workspace cannot be cancelled',
      async (session, { subject_request_id: id }, other) => {
        expectStatus(await session.cancel(id, other), 404);
        expectEqual('request_status', fieldsOf(await session.read(id)).request_status, 'pending');
      },
    ),
  ]),
  ...inInterface('Request status record', [
    between('group', 'a group belongs to one workspace', async (session, { group_id: group }, other) => {
      const answer = await session.group(String(group), other);
      expectSuccess(answer, 'the list');
      expectEqual('requests', listOf(answer).length, 0);
    }),
  ]),
  ...inNotes('Same request (409)', [
    between('conflict', 'the same request of another workspace makes no conflict', async (session, request, other) =>
      expectAdmitted(await session.create({ ...request, subject_request_id: randomUUID() }, { as: other })),
    ),
    between(
      'id',
      'the same id in another workspace names another request',
      async (session, { subject_request_id: id }, other) => {
        await session.admit({ subject_request_id: id }, other);
        expectSuccess(await session.cancel(id, other), 'its cancel');
        expectEqual('the request_status of the first', fieldsOf(await session.read(id)).request_status, 'pending');
      },
    ),
  ]),
];

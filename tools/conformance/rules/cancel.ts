import { randomUUID } from 'node:crypto';
import { expectEqual, expectFields, expectStatus, expectThat, fieldsOf, succeeded, type Fields } from '../checks';
import { cancelledLife, completedRound, round } from '../life';
import { expectJsonType, expectSigned, expectStrictJsonType, firstFault } from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Answer } from '../answer';
import type { Session } from '../session';

const receipt = async (session: Session): Promise<Fields> => fieldsOf((await cancelledLife(session)).cancelled);

const second = (session: Session): Promise<Answer> =>
  session.once('second cancel', async () => session.cancel((await cancelledLife(session)).body.subject_request_id));

const late = (session: Session): Promise<Answer> =>
  session.once('late cancel', async () => {
    await completedRound(session);
    return session.cancel((await round(session)).subject_request_id);
  });

function expectInvalidOperation(answer: Answer): void {
  expectStatus(answer, 400);
  const { reason, domain } = firstFault(answer);
  expectEqual('the fault', { reason, domain }, { reason: 'InvalidOperationException', domain: 'Validation' });
}

const expectNotAllowed = (answer: Answer, what: string) =>
  expectThat(!succeeded(answer), `${what} to be refused`, String(answer.status));

export const cancelRules = [
  ...inInterface('States and transitions', [
    {
      id: 'cancel.pending',
      title: 'a pending request can be cancelled',
      run: async (session) => void (await cancelledLife(session)),
    },
    {
      id: 'cancel.status',
      title: 'the status of a cancelled request is cancelled',
      run: async (session) =>
        expectEqual('request_status', fieldsOf((await cancelledLife(session)).after).request_status, 'cancelled'),
    },
    {
      id: 'cancel.twice',
      title: 'a cancelled request cannot be cancelled',
      run: async (session) => expectNotAllowed(await second(session), 'a second DELETE'),
    },
    {
      id: 'cancel.completed',
      title: 'a completed request cannot be cancelled',
      order: 'waits',
      run: async (session) => expectNotAllowed(await late(session), 'the DELETE of a completed request'),
    },
  ]),
  ...inInterface('Cancellation receipt', [
    {
      id: 'cancel.content-type',
      title: 'the receipt is application/json',
      run: async (session) => expectJsonType((await cancelledLife(session)).cancelled),
    },
    {
      id: 'cancel.fields',
      title: 'the receipt has every field, of its type',
      run: async (session) =>
        expectFields(await receipt(session), {
          received_time: 'ISO 8601 time',
          subject_request_id: 'string',
          controller_id: 'string',
        }),
    },
    {
      id: 'cancel.expected-time',
      title: 'expected_completion_time is null in the receipt of a cancel',
      run: async (session) =>
        expectEqual('expected_completion_time', (await receipt(session)).expected_completion_time, null),
    },
    {
      id: 'cancel.id',
      title: 'subject_request_id is the id that the controller sent',
      run: async (session) =>
        expectEqual(
          'subject_request_id',
          (await receipt(session)).subject_request_id,
          (await cancelledLife(session)).body.subject_request_id,
        ),
    },
  ]),
  ...inInterface('Errors', [
    {
      id: 'cancel.unknown',
      title: 'a DELETE of an unknown id gets 404',
      run: async (session) => expectStatus(await session.cancel(randomUUID()), 404),
    },
  ]),
  ...inNotes('Success codes', [
    {
      id: 'cancel.202',
      title: 'a cancel gets 202',
      run: async (session) => expectStatus((await cancelledLife(session)).cancelled, 202),
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'cancel.strict-content-type',
      title: 'the receipt is application/json; charset=utf-8',
      run: async (session) => expectStrictJsonType((await cancelledLife(session)).cancelled),
    },
  ]),
  ...inNotes('Signed responses', [
    {
      id: 'cancel.signed',
      title: 'the receipt of a cancel is signed',
      run: async (session) => expectSigned(session, (await cancelledLife(session)).cancelled),
    },
  ]),
  ...inNotes('Times', [
    {
      id: 'cancel.times',
      title: 'received_time is RFC 3339 in UTC',
      run: async (session) => expectFields(await receipt(session), { received_time: 'RFC 3339 time in UTC' }),
    },
  ]),
  ...inNotes('Status record after cancel', [
    {
      id: 'cancel.record',
      title: 'the status record keeps its expected_completion_time',
      run: async (session) =>
        expectFields(fieldsOf((await cancelledLife(session)).after), {
          expected_completion_time: 'RFC 3339 time in UTC',
        }),
    },
  ]),
  ...inNotes('Second DELETE after a lost answer', [
    {
      id: 'cancel.twice-fault',
      title: 'a second DELETE gets 400, InvalidOperationException, Validation',
      run: async (session) => expectInvalidOperation(await second(session)),
    },
  ]),
  ...inNotes('Cancel when not pending', [
    {
      id: 'cancel.completed-fault',
      title: 'a DELETE after completion gets 400, InvalidOperationException',
      order: 'waits',
      run: async (session) => expectInvalidOperation(await late(session)),
    },
  ]),
];

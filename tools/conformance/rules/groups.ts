import { randomUUID } from 'node:crypto';
import { expectEqual, expectFields, expectStatus, expectSuccess, fieldsOf, listOf } from '../checks';
import { admitGroup } from '../life';
import { expectJsonType, expectSigned, expectStrictJsonType, firstFault } from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Session } from '../session';

const GROUP_SIZE = 150;

/** Two requests of a group whose name must be escaped, and one of another. */
const listed = (session: Session) =>
  session.once('listed group', async () => {
    const group = `${session.run} ${randomUUID()} & co`;
    const ids = await admitGroup(session, group, 2);
    await session.admit({ group_id: `${group}!` });
    return { group, ids, answer: await session.group(group) };
  });

export const groupRules = [
  ...inInterface('Endpoints', [
    {
      id: 'groups.unknown',
      title: 'the list of an unknown group is an empty JSON array',
      run: async (session) => {
        const answer = await session.group(randomUUID());
        expectSuccess(answer, 'the list');
        expectJsonType(answer);
        expectEqual('requests', listOf(answer).length, 0);
      },
    },
  ]),
  ...inNotes('group_id', [
    {
      id: 'groups.members',
      title: 'the list of a group has its requests and no others',
      run: async (session) => expectEqual('ids', idsOf(await listed(session)), [...(await listed(session)).ids].sort()),
    },
    {
      id: 'groups.fields',
      title: 'every element of a list is a status record with its group_id',
      run: async (session) => {
        const { answer, group } = await listed(session);
        for (const record of listOf(answer)) {
          expectFields(record, {
            controller_id: 'string',
            expected_completion_time: 'ISO 8601 time',
            subject_request_id: 'UUID v4',
            request_status: 'string',
            api_version: 'string',
            results_url: 'string or null',
            extensions: 'array or null',
          });
          expectEqual('group_id', record.group_id, group);
        }
      },
    },
    {
      id: 'groups.status',
      title: 'the status record of a request has its group_id',
      run: async (session) =>
        expectEqual(
          'group_id',
          fieldsOf(await session.read((await listed(session)).ids[0] ?? '')).group_id,
          (await listed(session)).group,
        ),
    },
    {
      id: 'groups.order',
      title: 'a list has the same order each time',
      run: async (session) => {
        const { group, answer } = await listed(session);
        expectEqual(
          'ids',
          listOf(await session.group(group)).map((one) => one.subject_request_id),
          listOf(answer).map((one) => one.subject_request_id),
        );
      },
    },
    {
      id: 'groups.none-named',
      title: 'a list without group_id gets 400',
      run: async (session) => {
        for (const query of ['', '?group_id=']) expectStatus(await session.list(query), 400, `a list${query}`);
      },
    },
  ]),
  ...inNotes('Success codes', [
    {
      id: 'groups.200',
      title: 'a list gets 200',
      run: async (session) => expectStatus((await listed(session)).answer, 200),
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'groups.content-type',
      title: 'a list is application/json; charset=utf-8',
      run: async (session) => expectStrictJsonType((await listed(session)).answer),
    },
  ]),
  ...inNotes('Times', [
    {
      id: 'groups.times',
      title: 'times in a list are RFC 3339 in UTC',
      run: async (session) => {
        for (const record of listOf((await listed(session)).answer))
          expectFields(record, { expected_completion_time: 'RFC 3339 time in UTC' });
      },
    },
  ]),
  ...inNotes('Signed responses', [
    {
      id: 'groups.signed',
      title: 'a list is signed, also an empty one',
      run: async (session) => {
        await expectSigned(session, (await listed(session)).answer);
        await expectSigned(session, await session.group(randomUUID()));
      },
    },
  ]),
  ...inNotes('151st request of a group', [
    {
      id: 'groups.limit',
      title: 'the 151st request of a group gets 400, and the list has 150',
      needs: ['slow'],
      order: 'waits',
      run: async (session) => {
        const group = randomUUID();
        await admitGroup(session, group, GROUP_SIZE);
        const answer = await session.create(session.body({ group_id: group }));
        expectStatus(answer, 400, 'the 151st');
        const { reason, domain } = firstFault(answer);
        expectEqual('the fault', { reason, domain }, { reason: 'InvalidOperationException', domain: 'Validation' });
        expectEqual('requests of the group', listOf(await session.group(group)).length, GROUP_SIZE);
      },
    },
  ]),
];

const idsOf = ({ answer }: Awaited<ReturnType<typeof listed>>) =>
  listOf(answer)
    .map((record) => String(record.subject_request_id))
    .sort();

import { randomUUID } from 'node:crypto';
import { expectEqual, expectFields, expectStatus, expectSuccess, fieldsOf, type Fields } from '../checks';
import { life } from '../life';
import { expectJsonType, expectSigned, expectStrictJsonType } from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Session } from '../session';

const record = async (session: Session): Promise<Fields> => fieldsOf((await life(session)).read);

export const statusRules = [
  ...inInterface('Endpoints', [
    {
      id: 'status.answer',
      title: 'the status record is JSON',
      run: async (session) => (
        expectSuccess((await life(session)).read, 'a GET'),
        expectJsonType((await life(session)).read)
      ),
    },
  ]),
  ...inInterface('States and transitions', [
    {
      id: 'status.pending',
      title: 'the first status of a request is pending',
      run: async (session) => expectEqual('request_status', (await record(session)).request_status, 'pending'),
    },
  ]),
  ...inInterface('Request status record', [
    {
      id: 'status.fields',
      title: 'the status record has every field, of its type',
      run: async (session) =>
        expectFields(await record(session), {
          controller_id: 'string',
          expected_completion_time: 'ISO 8601 time',
          subject_request_id: 'UUID v4',
          group_id: 'string or null',
          request_status: 'string',
          api_version: 'string',
          results_url: 'string or null',
          extensions: 'array or null',
        }),
    },
    {
      id: 'status.id',
      title: 'subject_request_id is the id that the controller sent',
      run: async (session) =>
        expectEqual(
          'subject_request_id',
          (await record(session)).subject_request_id,
          (await life(session)).body.subject_request_id,
        ),
    },
    {
      id: 'status.controller-id',
      title: 'controller_id is the one of the receipt',
      run: async (session) =>
        expectEqual(
          'controller_id',
          (await record(session)).controller_id,
          fieldsOf((await life(session)).created).controller_id,
        ),
    },
    {
      id: 'status.api-version',
      title: 'api_version is the version of the root',
      run: async (session) =>
        expectEqual('api_version', (await record(session)).api_version, session.version.apiVersion),
    },
    {
      id: 'status.results',
      title: 'results_url is null while the request is not complete',
      run: async (session) => expectEqual('results_url', (await record(session)).results_url, null),
    },
    {
      id: 'status.no-group',
      title: 'group_id is null where none was given',
      run: async (session) => expectEqual('group_id', (await record(session)).group_id, null),
    },
  ]),
  ...inInterface('Errors', [
    {
      id: 'status.unknown',
      title: 'an unknown id gets 404',
      run: async (session) => expectStatus(await session.read(randomUUID()), 404),
    },
  ]),
  ...inNotes('Success codes', [
    {
      id: 'status.200',
      title: 'a GET of a request gets 200',
      run: async (session) => expectStatus((await life(session)).read, 200),
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'status.content-type',
      title: 'the status record is application/json; charset=utf-8',
      run: async (session) => expectStrictJsonType((await life(session)).read),
    },
  ]),
  ...inNotes('Signed responses', [
    {
      id: 'status.signed',
      title: 'the status record is signed',
      run: async (session) => expectSigned(session, (await life(session)).read),
    },
  ]),
  ...inNotes('Times', [
    {
      id: 'status.times',
      title: 'times in the status record are RFC 3339 in UTC',
      run: async (session) => expectFields(await record(session), { expected_completion_time: 'RFC 3339 time in UTC' }),
    },
  ]),
  ...inNotes('subject_request_id', [
    {
      id: 'status.id-case',
      title: 'an id in upper case finds the request',
      run: async (session) =>
        expectStatus(await session.read((await session.admit()).subject_request_id.toUpperCase()), 200),
    },
    {
      id: 'status.no-id',
      title: 'a text that is no id gets 404',
      run: async (session) => {
        for (const id of ['not-an-id', '%00', '5']) {
          expectStatus(await session.read(id), 404, `a GET of ${id}`);
          expectStatus(await session.cancel(id), 404, `a DELETE of ${id}`);
        }
      },
    },
  ]),
  ...inInterface('Creation receipt', [
    {
      id: 'status.id-sent',
      title: 'an id sent in upper case is found in lower case, and shown as sent',
      run: async (session) => {
        const id = randomUUID();
        await session.admit({ subject_request_id: id.toUpperCase() });
        expectEqual('subject_request_id', fieldsOf(await session.read(id)).subject_request_id, id.toUpperCase());
      },
    },
  ]),
];

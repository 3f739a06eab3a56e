import { randomUUID } from 'node:crypto';
import { expectAdmitted, expectEqual, expectStatus, expectSuccess, expectThat, fieldsOf } from '../checks';
import { life } from '../life';
import { headerOf } from '../processor';
import { inInterface, inNotes } from '../rule';
import { VERSIONS } from '@opendsr-service/contracts';

export const routeRules = [
  ...inInterface('Versioning', [
    {
      id: 'routes.of-the-other',
      title: 'the route of the other version does not exist under this root',
      run: async (session) => {
        const other = VERSIONS.find(({ apiVersion }) => apiVersion !== session.version.apiVersion);
        expectStatus(
          await session.call('GET', `/${other?.requestsRoute ?? ''}/${(await life(session)).body.subject_request_id}`),
          404,
        );
      },
    },
    {
      id: 'routes.headers',
      title: 'answers have the headers of this version, and none of the other',
      run: async (session) => {
        const { created } = await life(session);
        const other = VERSIONS.find(({ apiVersion }) => apiVersion !== session.version.apiVersion);
        expectThat(
          headerOf(created, session.version.domainHeader) !== undefined,
          `the header ${session.version.domainHeader}`,
          'none',
        );
        expectEqual(other?.domainHeader ?? '', headerOf(created, other?.domainHeader ?? ''), undefined);
      },
    },
  ]),
  ...inNotes('Trailing slash', [
    {
      id: 'routes.slash',
      title: 'a slash at the end makes no difference',
      run: async (session) => {
        const route = `/${session.version.requestsRoute}`;
        expectSuccess(await session.call('GET', '/discovery'), 'discovery without');
        expectSuccess(await session.call('GET', '/discovery/'), 'discovery with');
        for (const slash of ['', '/']) {
          const body = session.body();
          const answer = await session.call('POST', `${route}${slash}`, { body: JSON.stringify(body) });
          expectAdmitted(answer, `a create with "${slash}"`);
          expectEqual(
            'subject_request_id',
            fieldsOf(await session.call('GET', `${route}/${body.subject_request_id}${slash}`)).subject_request_id,
            body.subject_request_id,
          );
          expectSuccess(
            await session.call('GET', `${route}${slash}?group_id=${randomUUID()}`),
            `a list with "${slash}"`,
          );
          expectSuccess(
            await session.call('DELETE', `${route}/${body.subject_request_id}${slash}`),
            `a cancel with "${slash}"`,
          );
        }
      },
    },
  ]),
];

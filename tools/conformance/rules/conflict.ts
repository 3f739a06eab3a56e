import { randomUUID } from 'node:crypto';
import { VERSIONS } from '@opendsr-service/contracts';
import { expectAdmitted, expectStatus } from '../checks';
import { cancel, completed, expectRefusal } from '../life';
import { inInterface, inNotes } from '../rule';
import { raw, type RequestBody, type Session } from '../session';

const again = (body: RequestBody, more: object = {}): object => ({
  ...body,
  subject_request_id: randomUUID(),
  ...more,
});

const two = (session: Session) => [raw('email', session.email()), raw('controller_customer_id', randomUUID())];

export const conflictRules = [
  ...inInterface('Errors', [
    {
      id: 'conflict.same',
      title: 'a request with the identities and the type of an open one gets 409',
      run: async (session) => expectRefusal(session, again(await session.admit()), 409),
    },
    {
      id: 'conflict.other-type',
      title: 'another type makes another request',
      run: async (session) => {
        const other = session.options.pendingType === 'access' ? 'portability' : 'access';
        expectAdmitted(await session.create(again(await session.admit(), { subject_request_type: other })));
      },
    },
    {
      id: 'conflict.other-identities',
      title: 'one more identity makes another request',
      run: async (session) => {
        const body = await session.admit();
        expectAdmitted(
          await session.create(
            again(body, { subject_identities: [...body.subject_identities, raw('email', session.email())] }),
          ),
        );
      },
    },
  ]),
  ...inNotes('Same request (409)', [
    {
      id: 'conflict.order',
      title: 'the order and the repetition of identities make no difference',
      run: async (session) => {
        const body = await session.admit({ subject_identities: two(session) });
        await expectRefusal(session, again(body, { subject_identities: [...body.subject_identities].reverse() }), 409);
        await expectRefusal(
          session,
          again(body, { subject_identities: [...body.subject_identities, ...body.subject_identities] }),
          409,
        );
      },
    },
    {
      id: 'conflict.normalised',
      title: 'e-mail addresses and device ids compare without case and outer spaces',
      run: async (session) => {
        const [email, device] = [session.email(), randomUUID()];
        await session.admit({ subject_identities: [raw('email', email), raw('ios_vendor_id', device)] });
        await expectRefusal(
          session,
          session.body({
            subject_identities: [raw('email', ` ${email.toUpperCase()} `), raw('ios_vendor_id', device.toUpperCase())],
          }),
          409,
        );
      },
    },
    {
      id: 'conflict.customer-case',
      title: 'customer ids compare with case',
      run: async (session) => {
        const id = `conformance-${randomUUID()}`;
        await session.admit({ subject_identities: [raw('controller_customer_id', id)] });
        await session.admit({ subject_identities: [raw('controller_customer_id', id.toUpperCase())] });
      },
    },
    {
      id: 'conflict.other-words',
      title: 'regulation, times, groups and callbacks make no difference',
      run: async (session) => {
        const body = await session.admit();
        const change = {
          submitted_time: '2022-01-05T00:00:00Z',
          group_id: `${session.run}-conflict`,
          ...(session.version.hasRegulation && { regulation: 'ccpa' }),
        };
        await expectRefusal(session, again(body, change), 409);
      },
    },
    {
      id: 'conflict.cancelled',
      title: 'the same request is admitted after the cancel of the first',
      run: async (session) => {
        const body = await session.admit();
        await cancel(session, body.subject_request_id);
        expectAdmitted(await session.create(again(body)));
        await expectRefusal(session, again(body), 409);
      },
    },
    {
      id: 'conflict.completed',
      title: 'the same request is admitted after the completion of the first',
      order: 'waits',
      run: async (session) => {
        const body = await session.admit({ subject_request_type: 'access' });
        await completed(session, body.subject_request_id);
        expectAdmitted(await session.create(again(body)));
      },
    },
    {
      id: 'conflict.versions',
      title: 'requests of one version compare with those of the other',
      versions: ['1.0'],
      needs: ['bothVersions'],
      run: async (session) => {
        const body = await session.admit();
        const [newest] = VERSIONS;
        const url = `${session.target.baseUrls['2.0'] ?? ''}/${newest?.root ?? ''}/${newest?.requestsRoute ?? ''}`;
        const twin = again(body, { regulation: 'gdpr', api_version: undefined });
        expectStatus(await session.post(url, twin), 409, 'the same request to version 2.0');
      },
    },
  ]),
  ...inNotes('Several faults at once', [
    {
      id: 'conflict.exists-first',
      title: 'an existing id is reported before a conflict',
      run: async (session) => expectRefusal(session, await session.admit(), 400),
    },
  ]),
];

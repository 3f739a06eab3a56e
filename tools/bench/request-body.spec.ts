import { requestMaker } from './request-body';

const submittedAt = new Date('2026-01-02T03:04:05.000Z');

it('gives each request an id and an identity of its own', () => {
  const make = requestMaker(submittedAt);
  const made = [make(), make()].map(
    ({ body }) => JSON.parse(body) as { subject_request_id: string; subject_identities: [{ identity_value: string }] },
  );
  expect(new Set(made.map(({ subject_request_id: id }) => id)).size).toBe(2);
  expect(new Set(made.map(({ subject_identities: [{ identity_value: value }] }) => value)).size).toBe(2);
});

it('says what the interface wants, and a callback address only where one is wanted', () => {
  const { id, body } = requestMaker(submittedAt)();
  expect(JSON.parse(body)).toEqual({
    regulation: 'gdpr',
    subject_request_id: id,
    subject_request_type: 'access',
    submitted_time: '2026-01-02T03:04:05.000Z',
    api_version: '2.0',
    subject_identities: [{ identity_type: 'email', identity_value: `${id}@bench.example`, identity_format: 'raw' }],
  });
  const called = requestMaker(submittedAt, { callbackUrl: (of) => `https://here/${of}` })();
  expect(JSON.parse(called.body)).toMatchObject({ status_callback_urls: [`https://here/${called.id}`] });
});

import type { Destination } from '../destinations/destination';
import { destinationsOf } from '../destinations/status-changes';
import { callbackBody, hasResults } from './callback-body';

const destination: Destination = {
  _id: 'acme:475974fa-6b42-4370-bb56-b5d845686bb5|bGFuZQ',
  ws: 'acme',
  srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
  destination: 'bGFuZQ',
  destinationCount: 1,
  v: 1,
  pending: [],
  controllerId: '1402',
  apiVersion: '2.0',
  type: 'access',
  expectedAt: '2026-11-23T09:15:00.000Z',
  kid: 'kid-1',
  url: 'c2VhbGVk',
};
const change = (status: 'pending' | 'in_progress' | 'completed' | 'cancelled') => ({
  v: 1,
  status,
  at: '2026-11-21T09:00:00.000Z',
});

it('the body is compact JSON with its keys in the order of the specification, null ones included', () => {
  expect(
    callbackBody(destination, change('pending'), {
      url: 'https://controller.example/dsr',
      resultsUrl: null,
    }).toString(),
  ).toBe(
    '{"controller_id":"1402","expected_completion_time":"2026-11-23T09:15:00.000Z","status_callback_url":"https://controller.example/dsr",' +
      '"subject_request_id":"475974fa-6b42-4370-bb56-b5d845686bb5","request_status":"pending","api_version":"2.0","results_url":null,"extensions":null}',
  );
});

it('the body shows the state of outside participants in terms of the interface', () => {
  const extensions = [
    { statusMessage: 'disk full', status: 'failed', name: 'crm', domain: 'crm.example' },
    { domain: 'mail.example', name: 'mail', status: 'sent', statusMessage: null },
  ] as const;
  const body = callbackBody(
    destination,
    { ...change('completed'), extensions },
    { url: 'https://controller.example/dsr', resultsUrl: null },
  ).toString();
  expect(body.slice(body.indexOf('"results_url"'))).toBe(
    '"results_url":null,"extensions":[{"domain":"crm.example","name":"crm","status":"failed","status_message":"disk full"},' +
      '{"domain":"mail.example","name":"mail","status":"sent","status_message":null}]}',
  );
});

it('the body has the request id in the spelling of the create, also in upper case', () => {
  const { srid } = destination;
  const { controllerId, apiVersion, type, expectedAt, kid, url } = destination;
  const time = '2026-11-21T09:00:00.000Z';
  const request = {
    controllerId,
    apiVersion,
    type,
    expectedAt,
    kid,
    submittedTime: time,
    receivedAt: time,
    startAt: time,
    groupId: null,
    fingerprint: 'x',
    identities: url,
    callbacks: [{ destination: destination.destination, url }],
    sentId: srid.toUpperCase(),
  };
  const [made] = destinationsOf({
    type: 'RequestReceived',
    id: srid,
    ws: 'acme',
    srid,
    version: 1,
    commandSeq: 1,
    at: time,
    request,
  });
  expect(made).toMatchObject({ srid, _id: destination._id });
  expect(
    callbackBody(made as Destination, change('pending'), {
      url: 'https://controller.example/dsr',
      resultsUrl: null,
    }).toString(),
  ).toContain(`"subject_request_id":"${srid.toUpperCase()}"`);
});

it('only a completed access or portability request has results', () => {
  expect(hasResults({ type: 'access' }, change('completed'))).toBe(true);
  expect(hasResults({ type: 'portability' }, change('completed'))).toBe(true);
  expect(hasResults({ type: 'erasure' }, change('completed'))).toBe(false);
  for (const status of ['pending', 'in_progress', 'cancelled'] as const)
    expect(hasResults({ type: 'access' }, change(status))).toBe(false);
});

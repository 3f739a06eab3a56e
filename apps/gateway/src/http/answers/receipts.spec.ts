import type { RequestDocument } from '../../admission/request.document';
import { statusRecord } from './receipts';

const at = new Date('2026-11-21T09:00:00Z');
const request: RequestDocument = {
  _id: 'acme:r',
  ws: 'acme',
  srid: 'r',
  status: 'in_progress',
  controllerId: '1402',
  apiVersion: '2.0',
  type: 'access',
  submittedTime: at,
  receivedAt: at,
  expectedAt: at,
  groupId: null,
  kid: 'k',
  seq: 2,
  outbox: [],
  openDestinations: [],
  v: 2,
};

const NONE = { group: null, resultsUrl: null };

it('a status record shows the status and status message of each outside participant', () => {
  const extensions = [
    {
      domain: 'crm.example.com',
      name: 'crm',
      status: 'failed',
      statusMessage: 'The archive of 2024 could not be reached.',
    },
    { domain: 'mail.example.com', name: 'mail', status: 'pending', statusMessage: null },
  ] as const;
  expect(statusRecord({ ...request, extensions }, NONE).extensions).toEqual([
    {
      domain: 'crm.example.com',
      name: 'crm',
      status: 'failed',
      status_message: 'The archive of 2024 could not be reached.',
    },
    { domain: 'mail.example.com', name: 'mail', status: 'pending', status_message: null },
  ]);
});

it('a status record shows null without outside participants', () => {
  expect(statusRecord(request, NONE).extensions).toBeNull();
  expect(statusRecord({ ...request, extensions: [] }, NONE).extensions).toBeNull();
});

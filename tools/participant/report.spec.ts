import { createSecretKey } from 'node:crypto';
import { isReportSignedBy, participantReports } from '@opendsr-service/contracts';
import { reportRecord } from './report';

const share = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5', participant: 'crm', status: 'failed', statusMessage: 'Not today.' } as const;
const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));

it('is what the service takes: its shape, its key and its signature, made without any code of the service', () => {
  const record = reportRecord(share, 'dsrp_secret', new Date('2026-11-21T09:00:00Z'));
  expect(participantReports.decode(record)).toMatchObject({ type: 'ParticipantReport', at: '2026-11-21T09:00:00.000Z', ...share });
  expect(record.key).toBe('acme:475974fa-6b42-4370-bb56-b5d845686bb5');
  expect(isReportSignedBy(record, keyOf('dsrp_secret'))).toBe(true);
  expect(isReportSignedBy(record, keyOf('dsrp_other'))).toBe(false);
});

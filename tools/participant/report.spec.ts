import { execFileSync, spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isRecordSignedBy, participantReports } from '@opendsr-service/contracts';
import { repository } from '../e2e/repository';
import { reportRecord } from './report';

const share = {
  ws: 'acme',
  srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
  participant: 'crm',
  status: 'failed',
  statusMessage: 'Not today.',
} as const;
const keyOf = (secret: string) => createSecretKey(Buffer.from(secret));

it('is what the service takes: its shape, its key and its signature, made without any code of the service', () => {
  const record = reportRecord(share, 'dsrp_secret', new Date('2026-11-21T09:00:00Z'));
  expect(participantReports.decode(record)).toMatchObject({
    type: 'ParticipantReport',
    at: '2026-11-21T09:00:00.000Z',
    ...share,
  });
  expect(record.key).toBe('acme:475974fa-6b42-4370-bb56-b5d845686bb5');
  expect(isRecordSignedBy(record, keyOf('dsrp_secret'))).toBe(true);
  expect(isRecordSignedBy(record, keyOf('dsrp_other'))).toBe(false);
});

// A machine without openssl can run the service all the same.
const withOpenssl = spawnSync('openssl', ['version']).status === 0 ? it : it.skip;

withOpenssl('is signed in a shell as docs/participants.md says', () => {
  const { value, headers } = reportRecord(share, 'dsrp_secret', new Date());
  const line = /^SIGNATURE=.+$/m.exec(readFileSync(repository('docs/participants.md'), 'utf8'))?.[0] ?? '';
  const signature = execFileSync('sh', ['-c', `${line}; printf %s "$SIGNATURE"`], {
    env: { PATH: process.env.PATH, SECRET: 'dsrp_secret', BODY: value.toString() },
  });
  expect(signature.toString()).toBe(headers['opendsr-signature']);
});

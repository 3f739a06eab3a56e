import { createHmac, createSecretKey } from 'node:crypto';
import { participantReport } from './codecs';
import { isReportSignedBy, REPORT_SIGNATURE_HEADER, signReport } from './report-signature';

const key = (secret: string) => createSecretKey(Buffer.from(secret));
const report = participantReport(
  'crm',
  { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' },
  { status: 'completed' },
  new Date('2026-11-21T09:00:00Z'),
);

describe('the signature of a report', () => {
  it('is the HMAC-SHA256 of the bytes under the secret', () => {
    const expected = createHmac('sha256', 'secret').update(report.value).digest('hex');
    expect(signReport(report, key('secret')).headers[REPORT_SIGNATURE_HEADER]).toBe(expected);
  });

  it('is valid only for these bytes and this secret', () => {
    const signed = signReport(report, key('secret'));
    expect(isReportSignedBy(signed, key('secret'))).toBe(true);
    expect(isReportSignedBy(signed, key('other'))).toBe(false);
    expect(isReportSignedBy({ ...signed, value: Buffer.concat([signed.value, Buffer.from(' ')]) }, key('secret'))).toBe(
      false,
    );
  });

  it.each(['', 'no hex', 'ABCDEF', '00'.repeat(31)])('is refused if it is malformed: %j', (given) => {
    expect(isReportSignedBy({ ...report, headers: { [REPORT_SIGNATURE_HEADER]: given } }, key('secret'))).toBe(false);
    expect(isReportSignedBy(report, key('secret'))).toBe(false);
  });
});

import { createHmac, createSecretKey } from 'node:crypto';
import { MalformedMessage } from './codec';
import { participantReport, participantReports } from './codecs';
import { isRecordSignedBy, RECORD_SIGNATURE_HEADER, signedCodec, signRecord } from './record-signature';

const key = (secret: string) => createSecretKey(Buffer.from(secret));
const report = participantReport(
  'crm',
  { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' },
  { status: 'completed' },
  new Date('2026-11-21T09:00:00Z'),
);

describe('the signature of a record', () => {
  it('is the HMAC-SHA256 of the bytes under the secret', () => {
    const expected = createHmac('sha256', 'secret').update(report.value).digest('hex');
    expect(signRecord(report, key('secret')).headers[RECORD_SIGNATURE_HEADER]).toBe(expected);
  });

  it('is valid only for these bytes and this secret', () => {
    const signed = signRecord(report, key('secret'));
    expect(isRecordSignedBy(signed, key('secret'))).toBe(true);
    expect(isRecordSignedBy(signed, key('other'))).toBe(false);
    expect(isRecordSignedBy({ ...signed, value: Buffer.concat([signed.value, Buffer.from(' ')]) }, key('secret'))).toBe(
      false,
    );
  });

  it.each(['', 'no hex', 'ABCDEF', '00'.repeat(31)])('is refused if it is malformed: %j', (given) => {
    expect(isRecordSignedBy({ ...report, headers: { [RECORD_SIGNATURE_HEADER]: given } }, key('secret'))).toBe(false);
    expect(isRecordSignedBy(report, key('secret'))).toBe(false);
  });
});

it('a codec with a key signs what it encodes, and decodes nothing that the key did not sign', () => {
  const codec = signedCodec(participantReports)(key('secret'));
  const message = participantReports.decode(report);
  expect(codec.decode(codec.encode(message))).toEqual(message);
  for (const record of [report, signRecord(report, key('other'))])
    expect(() => codec.decode(record)).toThrow(new MalformedMessage('wrong-signature'));
});

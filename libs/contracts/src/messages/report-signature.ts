import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { EncodedMessage } from './codec';

/** Header of a report: lower-case hex of HMAC-SHA256 over its value, under the participant's secret (decision 8). */
export const REPORT_SIGNATURE_HEADER = 'opendsr-signature';

const HEX = /^[0-9a-f]{64}$/;

export const signReport = (report: EncodedMessage, key: KeyObject): EncodedMessage => ({
  ...report,
  headers: { ...report.headers, [REPORT_SIGNATURE_HEADER]: hmac(report.value, key).toString('hex') },
});

/** Compares in constant time. */
export function isReportSignedBy(
  { value, headers }: Pick<EncodedMessage, 'value'> & { readonly headers: Readonly<Record<string, string>> },
  key: KeyObject,
): boolean {
  const given = headers[REPORT_SIGNATURE_HEADER] ?? '';
  return HEX.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), hmac(value, key));
}

const hmac = (value: Buffer, key: KeyObject): Buffer => createHmac('sha256', key).update(value).digest();

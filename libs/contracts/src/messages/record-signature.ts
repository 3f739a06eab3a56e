import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { MalformedMessage, type Codec, type EncodedMessage } from './codec';

/**
 * Header of a signed record: lower-case hex of HMAC-SHA256 over its value. Reports are signed under the participant's secret
 * (decision 8), tombstones and leaves under a key of the installation (decisions 4 and 25).
 */
export const RECORD_SIGNATURE_HEADER = 'opendsr-signature';

const HEX = /^[0-9a-f]{64}$/;

type Signed = Pick<EncodedMessage, 'value'> & { readonly headers: Readonly<Record<string, string>> };

export const signRecord = (record: EncodedMessage, key: KeyObject): EncodedMessage => ({
  ...record,
  headers: { ...record.headers, [RECORD_SIGNATURE_HEADER]: hmac(record.value, key).toString('hex') },
});

/** Compares in constant time. */
export function isRecordSignedBy({ value, headers }: Signed, key: KeyObject): boolean {
  const given = headers[RECORD_SIGNATURE_HEADER] ?? '';
  return HEX.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), hmac(value, key));
}

/** For a topic whose records all have one signer, with its key: a record without its signature is malformed. */
export const signedCodec =
  <M extends { readonly type: string }>(codec: Codec<M>) =>
  (key: KeyObject): Codec<M> => ({
    ...codec,
    encode: (message) => signRecord(codec.encode(message), key),
    decode: (record) => {
      if (!isRecordSignedBy(record, key)) throw new MalformedMessage('wrong-signature');
      return codec.decode(record);
    },
  });

const hmac = (value: Buffer, key: KeyObject): Buffer => createHmac('sha256', key).update(value).digest();

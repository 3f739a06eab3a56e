import { makeList, makeParty, rsaKeys } from '../testing/authorities';
import { identityOf, isRevokedBy, readRevocationList, type RevocationList } from './revocation-list';

const ENTRIES = 100_000;

/** SEQUENCE { INTEGER of 16 bytes, UTCTime }, with this number at its end. */
function entry(number: number): Buffer {
  const bytes = Buffer.from(
    `3021021040000000000000000000000000000000${'170d'}${Buffer.from('260101000000Z').toString('hex')}`,
    'hex',
  );
  bytes.writeUInt32BE(number, 16);
  return bytes;
}

it('a list of 100,000 entries is read without storing them', async () => {
  const root = await makeParty({ name: 'Example Root', keys: await rsaKeys(), isAuthority: true });
  const small = readRevocationList(await makeList(root));
  const large: RevocationList = {
    ...small,
    entries: Buffer.concat(Array.from({ length: ENTRIES }, (_, i) => entry(i))),
  };
  expect(isRevokedBy(large, entry(ENTRIES - 1).subarray(4, 20))).toBe(true);
  expect(isRevokedBy(large, entry(ENTRIES).subarray(4, 20))).toBe(false);
});

it('a truncated list is refused', async () => {
  const root = await makeParty({ name: 'Example Root', keys: await rsaKeys(), isAuthority: true });
  const list = await makeList(root, { revoked: [root], address: 'http://lists.authority.example/7.crl' });
  expect(isRevokedBy(readRevocationList(list), identityOf(Buffer.from(root.certificate.rawData)).serial)).toBe(true);
  for (let length = 0; length < list.length; length++)
    expect(() => readRevocationList(list.subarray(0, length))).toThrow();
});

it.each([
  '',
  '30',
  '3080',
  '308400000001',
  '30850000000000',
  '3f0100',
  '3000',
  '30820000',
  '3003020101',
  'ff'.repeat(50),
])('the bytes %s are not a list', (hex) => {
  expect(() => readRevocationList(Buffer.from(hex, 'hex'))).toThrow();
});

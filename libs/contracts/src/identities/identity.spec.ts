import { identitySet, namesNobody, normaliseIdentity, parseMpid } from './identity';
import {
  DISCOVERY_IDENTITIES,
  IDENTITY_TYPES,
  ingestIdentityType,
  needsExtension,
  requestIdentityType,
  type IdentityTypeName,
} from './identity-types';

describe('identity types', () => {
  it.each(['other', 'other2', 'other10', 'mobile_number', 'phone_number_2', 'phone_number_3', 'mpid'] as const)(
    '%s needs the extension',
    (name) => {
      expect(needsExtension(requestIdentityType(name)!)).toBe(true);
    },
  );

  it('reads both Roku publisher spellings as one identity type', () => {
    expect(requestIdentityType('roku_publishing_id')).toBe('roku_publisher_id');
    expect(requestIdentityType('roku_publisher_id')).toBe('roku_publisher_id');
  });

  it.each([
    ['customer_id', 'controller_customer_id'],
    ['customerid', 'controller_customer_id'],
    ['ios_idfa', 'ios_advertising_id'],
    ['ios_idfv', 'ios_vendor_id'],
    ['android_aaid', 'android_advertising_id'],
    ['android_uuid', 'android_id'],
  ])('ingestion reads %s as %s', (spelling, type) => {
    expect(ingestIdentityType(spelling)).toBe(type);
  });

  it('does not know types outside the table, prototype names included', () => {
    expect(requestIdentityType('constructor')).toBeUndefined();
    expect(ingestIdentityType('controller_customer_id')).toBeUndefined();
  });

  it('discovery lists only types that need no extension', () => {
    expect(DISCOVERY_IDENTITIES.filter(needsExtension)).toEqual([]);
  });
});

it('finds a value that names nobody in one step for each character', () => {
  expect(namesNobody('controller_customer_id', `${'0'.repeat(200_000)}x`)).toBe(false);
  expect(['--0-', '00-00', '0', '---', ''].map((value) => namesNobody('ios_vendor_id', value))).toEqual([
    ...[true, true, true, false, false],
  ]);
});

describe('normalisation', () => {
  it('lowers e-mail addresses and device ids, keeps customer ids, trims all', () => {
    expect(normaliseIdentity('email', ' Ann@Example.COM ')?.value).toBe('ann@example.com');
    expect(normaliseIdentity('ios_vendor_id', 'ABC-1')?.value).toBe('abc-1');
    expect(normaliseIdentity('controller_customer_id', ' Ann-7 ')?.value).toBe('Ann-7');
    expect(normaliseIdentity('email', '  ')).toBeUndefined();
  });

  it.each<[IdentityTypeName, string, string]>([
    ['email', 'jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['controller_customer_id', 'A\u030angstro\u0308m', '\u00c5ngstr\u00f6m'],
    ['other', '\u202aC-1\u202c', 'C-1'],
    ['controller_customer_id', '\u200b C-1 \u200b', 'C-1'],
    ['email', 'ann@example.com\0', 'ann@example.com'],
    ['ios_vendor_id', '\u0000\tABC\u2060\n', 'abc'],
    ['email', '\u0130SMA\u0130L@example.com', 'ismail@example.com'],
    ['email', 'Ann@B\u00fccher.example', 'ann@xn--bcher-kva.example'],
    ['email', 'ann@bu\u0308cher\u3002example', 'ann@xn--bcher-kva.example'],
    ['email', 'j\u00f6rg@example.com', 'j\u00f6rg@example.com'],
    ['email', 'ann@\u00fc b', 'ann@\u00fc b'],
    ['mobile_number', '+49 170\u00a0123-45', '+4917012345'],
    ['phone_number_2', '0049 (170) 123.45/6', '+49170123456'],
    ['phone_number_3', '\u202a+49\u2011170\u202c', '+49170'],
    ['mobile_number', '0170 1', '01701'],
  ])('%s %j is %j', (type, raw, value) => {
    expect(normaliseIdentity(type, raw)).toEqual({ type, value });
  });

  it('keeps what stands inside a value, and finds none in invisible characters alone', () => {
    for (const inside of ['a\u0000b\nc', 'Ann  7', 'x\u200by', '(1)-2'])
      expect(normaliseIdentity('controller_customer_id', inside)?.value).toBe(inside);
    for (const type of ['controller_customer_id', 'mobile_number'] as const)
      expect(normaliseIdentity(type, ' \u200b\u202a\0 ')).toBeUndefined();
    expect(normaliseIdentity('phone_number_2', '(-)')).toBeUndefined();
    expect(normaliseIdentity('email', '\u200bNULL\u200b')).toBeUndefined();
  });

  it('takes zeros for the id of no device, as all devices have them whose users switched tracking off', () => {
    for (const zeros of ['00000000-0000-0000-0000-000000000000', ' 0000000000000000 ', '0'])
      expect(normaliseIdentity('ios_advertising_id', zeros)).toBeUndefined();
    expect(normaliseIdentity('ios_advertising_id', '00000000-0000-0000-0000-00000000000a')).toBeDefined();
  });

  it.each(Object.keys(IDENTITY_TYPES) as IdentityTypeName[])(
    'takes placeholders of missing values for no %s',
    (type) => {
      const written = [null, undefined, NaN, {}].map(String);
      for (const word of [...written, 'None', ' NULL ', 'nil', '(null)', '<null>', 'N/A', 'Unknown', 'anonymous'])
        expect([word, namesNobody(type, word), normaliseIdentity(type, word)]).toEqual([word, true, undefined]);
    },
  );

  it('takes what callers write for a missing customer id, and the id of many Android devices, for nobody', () => {
    for (const none of ['0', '000', '-0', '-1', '00000000-0000-0000-0000-000000000000'])
      expect(normaliseIdentity('controller_customer_id', none)).toBeUndefined();
    expect(normaliseIdentity('android_id', '9774D56D682E549C')).toBeUndefined();
  });

  it('takes the mpid 0 for nobody, as SDKs have it before they know a user', () => {
    for (const zero of ['0', '-0', ' 000 ']) expect(normaliseIdentity('mpid', zero)).toBeUndefined();
    expect(normaliseIdentity('mpid', '10')?.value).toBe('10');
  });

  it('keeps values that only resemble them', () => {
    for (const some of ['1', '-10', '-2', '10', 'null-7', 'Ann Unknown', '9774d56d682e549c', 'test', 'guest', 'na'])
      expect(normaliseIdentity('controller_customer_id', some)?.value).toBe(some);
    for (const [type, value] of [
      ['other', '0'],
      ['mobile_number', '0'],
      ['other2', '-1'],
      ['email', 'null@example.com'],
    ] as const)
      expect(normaliseIdentity(type, value)?.value).toBe(value);
  });

  it('refuses a lone surrogate, as all of them hash alike, and accepts pairs', () => {
    for (const half of ['a\ud800', 'a\udc00', '\udc00\ud800', '\ud83d x'])
      expect(normaliseIdentity('controller_customer_id', half)).toBeUndefined();
    expect(normaliseIdentity('controller_customer_id', 'a\ud83d\ude00\ufffd')?.value).toBe('a\u{1f600}\ufffd');
  });

  it('reads mpids of every form as signed 64-bit decimal strings', () => {
    expect(parseMpid('9223372036854775807')).toBe('9223372036854775807');
    expect(parseMpid(-9223372036854775808n)).toBe('-9223372036854775808');
    expect(parseMpid('007')).toBe('7');
    expect(parseMpid(42)).toBe('42');
    for (const bad of ['9223372036854775808', '1.5', '', 'x', 2 ** 53, 1.5, null, {}])
      expect(parseMpid(bad)).toBeUndefined();
  });

  it('returns one list for the same identities in any order, without repeats', () => {
    const a = { type: 'email', value: 'a@b' } as const;
    const b = { type: 'controller_customer_id', value: '1' } as const;
    expect(identitySet([a, b, a])).toEqual(identitySet([b, a]));
    expect(identitySet([a, b])).toHaveLength(2);
  });
});

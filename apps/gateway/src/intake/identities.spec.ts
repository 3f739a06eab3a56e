import 'reflect-metadata';
import { needsExtension, requestIdentityType, V1, V2 } from '@opendsr-service/contracts';
import { ApiError, parseJson } from '@opendsr-service/edge';
import { defaultCreateLimits as limits } from './create-limits';
import { readIntake } from './intake';

const KEY = 'dsr.example';
const rules = { version: V2, extensionKey: KEY, otherKeys: [], callbackUrlFault: () => undefined, limits };
const common = {
  regulation: 'gdpr',
  subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  subject_request_type: 'access',
  submitted_time: '2026-11-20',
};

/** Identities as they are read from the bytes of a body, or the faults in place of them. */
function read(more: object | string, by = rules): unknown {
  const text =
    typeof more === 'string'
      ? `${JSON.stringify(common).slice(0, -1)},${more}}`
      : JSON.stringify({ ...common, ...more });
  try {
    return readIntake(parseJson(Buffer.from(text), 32), by).identities.map(({ type, value }) => `${type}=${value}`);
  } catch (error) {
    if (error instanceof ApiError) return error.faults.map(({ message }) => message);
    throw error;
  }
}
const subject = (...given: [string, unknown][]) => ({
  subject_identities: given.map(([identity_type, identity_value]) => ({
    identity_type,
    identity_value,
    identity_format: 'raw',
  })),
});
const own = (extension: unknown) => ({ extensions: { [KEY]: extension } });
const inside = (...given: [string, unknown][]) =>
  own({ identities: given.map(([identity_type, identity_value]) => ({ identity_type, identity_value })) });
const mpids = (list: string) => read(`"extensions":{"${KEY}":{"mpids":${list}}}`);

// protocol, "Identity types": every row, and the second Roku spelling.
const plain = [
  'controller_customer_id',
  'email',
  'android_advertising_id',
  'android_id',
  'fire_advertising_id',
  'ios_advertising_id',
  'ios_vendor_id',
  'microsoft_advertising_id',
  'microsoft_publisher_id',
  'roku_advertising_id',
  'roku_publishing_id',
  'roku_publisher_id',
];
const extended = [
  'other',
  'other2',
  'other3',
  'other4',
  'other5',
  'other6',
  'other7',
  'other8',
  'other9',
  'other10',
  'mobile_number',
  'phone_number_2',
  'phone_number_3',
];
const stored = (type: string) => type.replace('roku_publishing_id', 'roku_publisher_id');

describe.each([V2, V1].map((version) => ({ version, by: { ...rules, version } })))(
  'in version $version.apiVersion',
  ({ by }) => {
    it.each(plain)('%s is taken from subject_identities and from inside the extension, as one identity', (type) => {
      const expected = [`${stored(type)}=v`];
      expect(read(subject([type, 'v']), by)).toEqual(expected);
      expect(read(inside([type, 'v']), by)).toEqual(expected);
      expect(read({ ...subject([type, 'v']), ...inside([type, 'v']) }, by)).toEqual(expected);
    });

    it.each(extended)('%s is accepted only inside the extension, which the refusal names', (type) => {
      expect(read(inside([type, 'v']), by)).toEqual([`${type}=v`]);
      expect(read(subject([type, 'v']), by)).toEqual([
        `subject_identities[0].identity_type must be given inside extensions.${KEY}`,
      ]);
    });

    it('mpid is accepted only in the two lists of the extension, as one identity', () => {
      expect(read(own({ mpids: [7], identities: [{ identity_type: 'mpid', identity_value: ' 7 ' }] }), by)).toEqual([
        'mpid=7',
      ]);
      expect(read(subject(['mpid', '7']), by)).toEqual([
        `subject_identities[0].identity_type must be given inside extensions.${KEY}`,
      ]);
    });
  },
);

it('the tables here and in the code hold the same types', () => {
  expect([...plain, ...extended].map((type) => [type, needsExtension(requestIdentityType(type)!)])).toEqual([
    ...plain.map((type) => [type, false]),
    ...extended.map((type) => [type, true]),
  ]);
});

it('both Roku spellings of one value are one identity', () => {
  expect(read(subject(['roku_publishing_id', 'R'], ['roku_publisher_id', 'r']))).toEqual(['roku_publisher_id=r']);
});

it.each([
  'shoe_size',
  '',
  'EMAIL',
  ' email',
  'customer_id',
  'customerid',
  'ios_idfa',
  'android_uuid',
  'constructor',
  '__proto__',
])('the identity type %j is refused in both places', (type) => {
  expect(read(subject([type, 'v']))).toEqual(['subject_identities[0].identity_type must be a known identity type']);
  expect(read(inside([type, 'v']))).toEqual([
    `extensions.${KEY}.identities[0].identity_type must be a known identity type`,
  ]);
});

it.each([['sha256'], ['hashed'], ['RAW'], [''], [null], [undefined], [1]])(
  'identity_format %j is refused, inside the extension only if one is given',
  (identity_format) => {
    expect(read({ subject_identities: [{ identity_type: 'email', identity_value: 'v', identity_format }] })).toEqual([
      'subject_identities[0].identity_format must be equal to raw',
    ]);
    const isGiven = identity_format !== null && identity_format !== undefined;
    expect(read(own({ identities: [{ identity_type: 'email', identity_value: 'v', identity_format }] }))).toEqual(
      isGiven ? [`extensions.${KEY}.identities[0].identity_format must be equal to raw`] : ['email=v'],
    );
  },
);

describe('mpids', () => {
  it.each([
    ['[1]', ['1']],
    ['[9007199254740991,9007199254740993]', ['9007199254740991', '9007199254740993']],
    ['[9223372036854775807,-9223372036854775808]', ['-9223372036854775808', '9223372036854775807']],
    ['["9223372036854775807","-9223372036854775808"]', ['-9223372036854775808', '9223372036854775807']],
    ['[-5250698410459283291,"-5250698410459283291"]', ['-5250698410459283291']],
    ['[1234567890123456789,1234567890123456788]', ['1234567890123456788', '1234567890123456789']],
    ['[7,"7"," 7 ","007",7.0,7e0]', ['7']],
    ['[1e3]', ['1000']],
  ])('%s are read without loss, each once', (list, values) => {
    expect(mpids(list)).toEqual(values.map((value) => `mpid=${value}`));
  });

  it.each([
    '9223372036854775808',
    '-9223372036854775809',
    '"9223372036854775808"',
    '1.5',
    '9007199254740993.0',
    '1e18',
    '"1e3"',
    '"1.0"',
    '"+7"',
    '"0x7"',
    '""',
    '" "',
    '"x"',
    '"7 7"',
    'null',
    'true',
    '{}',
    '[7]',
    '"١"',
  ])('cannot be %s', (raw) => {
    expect(mpids(`[7,${raw}]`)).toEqual([`extensions.${KEY}.mpids[1] must be a signed 64-bit integer`]);
  });

  it.each(['0', '-0', '"-0"', '"000"', '0.0'])('cannot be %s, which SDKs send before they know a user', (raw) => {
    const fault = 'must be a value of one person: callers write it in place of none';
    expect(mpids(`[7,${raw}]`)).toEqual([`extensions.${KEY}.mpids[1] ${fault}`]);
    expect(read(inside(['mpid', '0']))).toEqual([`extensions.${KEY}.identities[0].identity_value ${fault}`]);
  });
});

describe('values', () => {
  it.each([
    ['email', ' Ann@Example.COM\t', 'ann@example.com'],
    ['ios_vendor_id', '\u00a0ABC-1\ufeff', 'abc-1'],
    ['android_id', 'ÄÖ', 'äö'],
    ['controller_customer_id', ' Ann-7 ', 'Ann-7'],
    // What stands inside is the controller's: ingestion keeps it as it came as well, and both must be the same.
    ['controller_customer_id', 'a\u0000b\nc', 'a\u0000b\nc'],
    ['controller_customer_id', 'Ann  7', 'Ann  7'],
    ['controller_customer_id', 'a\ud83d\ude00\ufffd', 'a\u{1f600}\ufffd'],
  ])('%s %j is %j', (type, value, normal) => {
    expect(read(subject([type, value]))).toEqual([`${type}=${normal}`]);
  });

  it.each([
    ['other', 'Ann A', 'Ann A'],
    ['mobile_number', ' +49 (30) 1 ', '+49301'],
  ])('%s %j is %j', (type, value, normal) => {
    expect(read(inside([type, value]))).toEqual([`${type}=${normal}`]);
  });

  it('in several spellings are one identity', () => {
    expect(read(subject(['email', 'e\u0301@x'], ['email', '\u00e9@x']))).toEqual(['email=\u00e9@x']);
    expect(read(inside(['mobile_number', '0049 170'], ['mobile_number', '+49-170']))).toEqual(['mobile_number=+49170']);
  });

  it.each([
    [''],
    [7],
    [null],
    [undefined],
    [['a']],
    ['a\ud800'],
    ['\udc00a'],
    ['a'.repeat(4_097)],
    ['\u{1f600}'.repeat(4_097)],
  ])('cannot be %j', (value) => {
    expect(read(subject(['email', value]))).toEqual([
      'subject_identities[0].identity_value must be text of 1 to 4096 Unicode characters',
    ]);
    expect(read(inside(['other', value]))).toEqual([
      `extensions.${KEY}.identities[0].identity_value must be text of 1 to 4096 Unicode characters`,
    ]);
  });

  it('of 4096 characters are accepted, regardless of their length in UTF-16', () => {
    for (const letter of ['a', '\u{1f600}'])
      expect(read(subject(['email', letter.repeat(4_096)]))).toEqual([`email=${letter.repeat(4_096)}`]);
  });

  it('that name nobody are refused: zeros for a device, and what callers write in place of a missing value', () => {
    const zeros = '00000000-0000-0000-0000-000000000000';
    const fault = 'identity_value must be a value of one person: callers write it in place of none';
    for (const nobody of [subject(['ios_advertising_id', zeros]), subject(['controller_customer_id', 'undefined'])])
      expect(read(nobody)).toEqual([`subject_identities[0].${fault}`]);
    for (const nobody of [inside(['android_id', '0000']), inside(['other', 'NULL'])])
      expect(read(nobody)).toEqual([`extensions.${KEY}.identities[0].${fault}`]);
  });

  it('that are blank or no value of their type are refused', () => {
    expect(read(subject(['email', ' \t']))).toEqual([
      'subject_identities[0].identity_value must be a value of its type',
    ]);
    expect(read(inside(['mpid', 'x']))).toEqual([
      `extensions.${KEY}.identities[0].identity_value must be a value of its type`,
    ]);
  });
});

describe('the limits', () => {
  const emails = (count: number, prefix = 'a') =>
    Array.from({ length: count }, (_, n): [string, string] => ['email', `${prefix}${n}`]);
  const extension = (...counts: [number, number]) =>
    own({
      mpids: Array.from({ length: counts[0] }, (_, n) => n + 1),
      identities: emails(counts[1], 'b').map(([identity_type, identity_value]) => ({ identity_type, identity_value })),
    });
  const together = `subject_identities and extensions.${KEY} must contain no more than 10000 identities together`;

  it.each([
    [10_000, 0, 0],
    [0, 10_000, 0],
    [0, 0, 10_000],
    [4_000, 3_000, 3_000],
  ])('accept %i in subject_identities, %i mpids and %i in the extension', (subjects, ids, others) => {
    expect(read({ ...subject(...emails(subjects)), ...extension(ids, others) })).toHaveLength(10_000);
  });

  it.each([
    [10_001, 0, 0, 'subject_identities must contain no more than 10000 elements'],
    [0, 10_001, 0, `extensions.${KEY}.mpids must contain no more than 10000 elements`],
    [0, 0, 10_001, `extensions.${KEY}.identities must contain no more than 10000 elements`],
    [10_000, 1, 0, together],
    [4_000, 3_000, 3_001, together],
  ])('refuse %i, %i and %i', (subjects, ids, others, message) => {
    expect(read({ ...subject(...emails(subjects)), ...extension(ids, others) })).toEqual([message]);
  });

  it.each([
    ['subject_identities', `"subject_identities":[${'1,'.repeat(100_000)}1]`],
    [`extensions.${KEY}.mpids`, `"extensions":{"${KEY}":{"mpids":[${'{},'.repeat(80_000)}1]}}`],
  ])('are checked before anything else in %s of a hundred thousand elements', (path, list) => {
    expect(read(`${list},"submitted_time":"x"`)).toEqual([`${path} must contain no more than 10000 elements`]);
  });

  it.each([
    ['unknown types', subject(...Array.from({ length: 9_000 }, (): [string, unknown] => ['x', 'x']))],
    ['mpids that are none', own({ mpids: Array.from({ length: 9_000 }, () => 'x') })],
    ['no objects', { subject_identities: Array.from({ length: 9_000 }, () => 7) }],
  ])('let an answer name the first hundred faults of thousands of %s', (_what, more) => {
    const faults = read(more) as string[];
    expect([faults.length, faults.at(-1)]).toEqual([101, 'There are more faults, which are not named.']);
  });

  it('follow the settings of the operator', () => {
    const few = { ...rules, limits: { identities: 2, callbackUrls: 1 } };
    const urls = (count: number) => ({
      status_callback_urls: Array.from({ length: count }, (_, n) => `https://a${n}.example`),
    });
    expect(read({ ...subject(...emails(2)), ...urls(1) }, few)).toHaveLength(2);
    expect(read({ ...subject(...emails(3)), ...urls(2) }, few)).toEqual([
      'subject_identities must contain no more than 2 elements',
      'status_callback_urls must contain no more than 1 elements',
    ]);
  });
});

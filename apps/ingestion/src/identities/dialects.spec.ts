import { IDENTITY_TYPES } from '@opendsr-service/contracts';
import { rankedIdentities, readIdentities } from './dialects';

/** All spellings of the interface and of SDKs, and their types in requests (protocol, "Identity types of ingestion"). */
const spellings = [
  ['customer_id', 'controller_customer_id'],
  ['customerid', 'controller_customer_id'],
  ['email', 'email'],
  ['other', 'other'],
  ['other2', 'other2'],
  ['other3', 'other3'],
  ['other4', 'other4'],
  ['other5', 'other5'],
  ['other6', 'other6'],
  ['other7', 'other7'],
  ['other8', 'other8'],
  ['other9', 'other9'],
  ['other10', 'other10'],
  ['mobile_number', 'mobile_number'],
  ['phone_number_2', 'phone_number_2'],
  ['phone_number_3', 'phone_number_3'],
  ['device_application_stamp', 'device_application_stamp'],
  ['android_advertising_id', 'android_advertising_id'],
  ['android_aaid', 'android_advertising_id'],
  ['android_id', 'android_id'],
  ['android_uuid', 'android_id'],
  ['fire_advertising_id', 'fire_advertising_id'],
  ['fire_aid', 'fire_advertising_id'],
  ['ios_advertising_id', 'ios_advertising_id'],
  ['ios_idfa', 'ios_advertising_id'],
  ['ios_vendor_id', 'ios_vendor_id'],
  ['ios_idfv', 'ios_vendor_id'],
  ['microsoft_advertising_id', 'microsoft_advertising_id'],
  ['microsoft_aid', 'microsoft_advertising_id'],
  ['microsoft_publisher_id', 'microsoft_publisher_id'],
  ['roku_advertising_id', 'roku_advertising_id'],
  ['roku_aid', 'roku_advertising_id'],
  ['roku_publisher_id', 'roku_publisher_id'],
  ['roku_publishing_id', 'roku_publisher_id'],
] as const;

const typesOf = (body: Parameters<typeof readIdentities>[0]) =>
  readIdentities(body).map(({ identity }) => `${identity.type}=${identity.value}`);

describe('the identities of a body', () => {
  it('are the same in both spellings', () => {
    const interfaces = typesOf({ user_identities: { customer_id: 'C-1', email: 'Ann@Example.com' } });
    expect(interfaces).toEqual(['controller_customer_id=C-1', 'email=ann@example.com']);
    expect(typesOf({ known_identities: { customerid: 'C-1', email: ' ann@example.com ' } })).toEqual(interfaces);
    expect(typesOf({ known_identities: { ios_idfa: 'ABC' } })).toEqual(
      typesOf({ user_identities: { ios_advertising_id: 'abc' } }),
    );
  });

  it.each(spellings)('read %s as %s, in either field', (spelling, type) => {
    for (const field of ['user_identities', 'known_identities'] as const)
      expect(typesOf({ [field]: { [spelling]: 'abc1' } })).toEqual([`${type}=abc1`]);
  });

  it('accept no other spelling', () => {
    const known = Object.values(IDENTITY_TYPES).flatMap(({ ingestNames }) => [...ingestNames]);
    expect(known.sort()).toEqual(spellings.map(([spelling]) => spelling).sort());
  });

  it('are sorted by rank', () => {
    expect(typesOf({ user_identities: { ios_idfa: 'd', other2: 'o', email: 'e', customer_id: 'c' } })).toEqual([
      'controller_customer_id=c',
      'email=e',
      'other2=o',
      'ios_advertising_id=d',
    ]);
  });

  it('ignore unknown names, nulls and blanks, and never include an mpid', () => {
    expect(
      typesOf({ known_identities: { shoe_size: '44', email: null, customerid: '  ', mpid: '12', other: 7 } }),
    ).toEqual([]);
    expect(typesOf({})).toEqual([]);
  });

  it('ignore values that name nobody, which many persons share', () => {
    const zeros = '00000000-0000-0000-0000-000000000000';
    expect(typesOf({ user_identities: { ios_idfa: zeros, android_aaid: 'unknown', ios_idfv: 'v' } })).toEqual([
      'ios_vendor_id=v',
    ]);
    expect(typesOf({ user_identities: { customer_id: 'undefined', email: 'e' } })).toEqual(['email=e']);
    expect(typesOf({ known_identities: { customerid: 'null', other: '[object Object]' } })).toEqual([]);
  });

  it('contain an identity once that has two spellings', () => {
    const named = readIdentities({ user_identities: { customer_id: 'c', customerid: 'c' } });
    expect(named).toHaveLength(2);
    expect(rankedIdentities(named)).toEqual([{ type: 'controller_customer_id', value: 'c' }]);
  });
});

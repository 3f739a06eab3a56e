import { rankedIdentities, readIdentities } from './dialects';

const typesOf = (body: Parameters<typeof readIdentities>[0]) => readIdentities(body).map(({ identity }) => `${identity.type}=${identity.value}`);

describe('the identities of a body', () => {
  it('are the same in both dialects', () => {
    const interfaces = typesOf({ user_identities: { customer_id: 'C-1', email: 'Ann@Example.com' } });
    expect(interfaces).toEqual(['controller_customer_id=C-1', 'email=ann@example.com']);
    expect(typesOf({ known_identities: { customerid: 'C-1', email: ' ann@example.com ' } })).toEqual(interfaces);
  });

  it.each([
    ['ios_idfa', 'ios_advertising_id'],
    ['ios_idfv', 'ios_vendor_id'],
    ['android_aaid', 'android_advertising_id'],
    ['android_uuid', 'android_id'],
    ['fire_aid', 'fire_advertising_id'],
    ['roku_publishing_id', 'roku_publisher_id'],
  ])('take %s for %s', (spelling, type) => {
    expect(typesOf({ known_identities: { [spelling]: 'ABC' } })).toEqual([`${type}=abc`]);
    expect(typesOf({ user_identities: { [type]: 'abc' } })).toEqual([`${type}=abc`]);
  });

  it('come in the order in which they decide', () => {
    expect(typesOf({ user_identities: { ios_idfa: 'd', other2: 'o', email: 'e', customer_id: 'c' } })).toEqual([
      'controller_customer_id=c',
      'email=e',
      'other2=o',
      'ios_advertising_id=d',
    ]);
  });

  it('leave out unknown names, nulls and blanks, and never take an mpid', () => {
    expect(typesOf({ known_identities: { shoe_size: '44', email: null, customerid: '  ', mpid: '12', other: 7 } })).toEqual([]);
    expect(typesOf({})).toEqual([]);
  });

  it('count once where two spellings name one identity', () => {
    const named = readIdentities({ user_identities: { customer_id: 'c', customerid: 'c' } });
    expect(named).toHaveLength(2);
    expect(rankedIdentities(named)).toEqual([{ type: 'controller_customer_id', value: 'c' }]);
  });
});

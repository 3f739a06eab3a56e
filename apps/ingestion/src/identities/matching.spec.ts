import { matchProfiles, type ProfileLink, type MatchingRules } from './matching';

const rules = (withLogin: readonly string[], more: Partial<MatchingRules> = {}): MatchingRules => ({
  devicesMatch: false,
  hasLogin: (mpid) => withLogin.includes(mpid),
  isUnverified: () => false,
  ...more,
});
const given = (leads: readonly ProfileLink[], ...withLogin: string[]) => matchProfiles(leads, rules(withLogin));

describe('the profiles that a request matches', () => {
  it('are those of its login identities', () => {
    expect(
      given(
        [
          { mpid: '1', identityType: 'email' },
          { mpid: '2', identityType: 'controller_customer_id' },
        ],
        '1',
        '2',
      ),
    ).toEqual(['1', '2']);
  });

  it('include those that it names by mpid', () => {
    expect(given([{ mpid: '-7', identityType: 'mpid' }], '-7')).toEqual(['-7']);
  });

  it('include that of a device only if it has no login identity', () => {
    const device: ProfileLink = { mpid: '1', identityType: 'ios_advertising_id' };
    expect(given([device])).toEqual(['1']);
    expect(given([device], '1')).toEqual([]);
  });

  it('exclude another data subject who logged in on the same device', () => {
    expect(
      given(
        [
          { mpid: '1', identityType: 'email' },
          { mpid: '2', identityType: 'ios_advertising_id' },
        ],
        '1',
        '2',
      ),
    ).toEqual(['1']);
  });

  it('include that of a device with a login identity if the workspace lets devices match', () => {
    expect(
      matchProfiles([{ mpid: '1', identityType: 'ios_advertising_id' }], rules(['1'], { devicesMatch: true })),
    ).toEqual(['1']);
  });

  it('include an unverified profile by its mpid only if it belongs to a device', () => {
    const isUnverified = () => true;
    expect(matchProfiles([{ mpid: '1', identityType: 'mpid' }], rules(['1'], { isUnverified }))).toEqual([]);
    expect(matchProfiles([{ mpid: '1', identityType: 'mpid' }], rules([], { isUnverified }))).toEqual(['1']);
    expect(matchProfiles([{ mpid: '1', identityType: 'email' }], rules(['1'], { isUnverified }))).toEqual(['1']);
  });

  it('contain no duplicates', () => {
    expect(
      given(
        [
          { mpid: '1', identityType: 'email' },
          { mpid: '1', identityType: 'mpid' },
          { mpid: '1', identityType: 'android_id' },
        ],
        '1',
      ),
    ).toEqual(['1']);
  });
});

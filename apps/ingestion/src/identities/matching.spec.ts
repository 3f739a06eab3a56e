import { reachedProfiles, type Lead, type LeadRules } from './matching';

const rules = (withLogin: readonly string[], more: Partial<LeadRules> = {}): LeadRules => ({
  devicesMatch: false,
  hasLogin: (mpid) => withLogin.includes(mpid),
  isUnverified: () => false,
  ...more,
});
const given = (leads: readonly Lead[], ...withLogin: string[]) => reachedProfiles(leads, rules(withLogin));

describe('the profiles that a request reaches', () => {
  it('are those of its login identities', () => {
    expect(
      given(
        [
          { mpid: '1', by: 'email' },
          { mpid: '2', by: 'controller_customer_id' },
        ],
        '1',
        '2',
      ),
    ).toEqual(['1', '2']);
  });

  it('are those that it names by mpid', () => {
    expect(given([{ mpid: '-7', by: 'mpid' }], '-7')).toEqual(['-7']);
  });

  it('include that of a device alone only where nobody ever logged in', () => {
    const device: Lead = { mpid: '1', by: 'ios_advertising_id' };
    expect(given([device])).toEqual(['1']);
    expect(given([device], '1')).toEqual([]);
  });

  it('leave out another person who logged in on the same device', () => {
    expect(
      given(
        [
          { mpid: '1', by: 'email' },
          { mpid: '2', by: 'ios_advertising_id' },
        ],
        '1',
        '2',
      ),
    ).toEqual(['1']);
  });

  it('include that of a device with a login where the workspace lets devices match', () => {
    expect(reachedProfiles([{ mpid: '1', by: 'ios_advertising_id' }], rules(['1'], { devicesMatch: true }))).toEqual([
      '1',
    ]);
  });

  it('are reached by an mpid that the public key alone was told only where that is of a device', () => {
    const isUnverified = () => true;
    expect(reachedProfiles([{ mpid: '1', by: 'mpid' }], rules(['1'], { isUnverified }))).toEqual([]);
    expect(reachedProfiles([{ mpid: '1', by: 'mpid' }], rules([], { isUnverified }))).toEqual(['1']);
    expect(reachedProfiles([{ mpid: '1', by: 'email' }], rules(['1'], { isUnverified }))).toEqual(['1']);
  });

  it('are named once', () => {
    expect(
      given(
        [
          { mpid: '1', by: 'email' },
          { mpid: '1', by: 'mpid' },
          { mpid: '1', by: 'android_id' },
        ],
        '1',
      ),
    ).toEqual(['1']);
  });
});

import { reachedProfiles, type Lead } from './matching';

const given = (leads: readonly Lead[], ...withLogin: string[]) => reachedProfiles(leads, (mpid) => withLogin.includes(mpid));

describe('the profiles that a request reaches', () => {
  it('are those of its login identities', () => {
    expect(given([{ mpid: '1', by: 'email' }, { mpid: '2', by: 'controller_customer_id' }], '1', '2')).toEqual(['1', '2']);
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
    expect(given([{ mpid: '1', by: 'email' }, { mpid: '2', by: 'ios_advertising_id' }], '1', '2')).toEqual(['1']);
  });

  it('are named once', () => {
    expect(given([{ mpid: '1', by: 'email' }, { mpid: '1', by: 'mpid' }, { mpid: '1', by: 'android_id' }], '1')).toEqual(['1']);
  });
});

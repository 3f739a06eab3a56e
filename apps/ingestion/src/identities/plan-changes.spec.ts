import { planChanges, type ChangeOfIds } from './plan-changes';

const plan = (owners: Readonly<Record<string, string>>, ...changes: ChangeOfIds[]) =>
  planChanges('me', changes, (id) => owners[id]);

describe('changes of the identities of a profile', () => {
  it('add, remove and replace', () => {
    expect(plan({}, { from: [], to: 'new' })).toEqual({ add: ['new'], remove: [] });
    expect(plan({ old: 'me' }, { from: ['old'] })).toEqual({ add: [], remove: ['old'] });
    expect(plan({ old: 'me' }, { from: ['old'], to: 'new' })).toEqual({ add: ['new'], remove: ['old'] });
  });

  it('are refused by index if an added identity has another owner, or a removed one is not owned', () => {
    expect(
      plan(
        { theirs: 'them' },
        { from: [], to: 'new' },
        { from: [], to: 'theirs' },
        { from: ['free'] },
        { from: ['theirs'], to: 'new' },
      ),
    ).toEqual({
      refused: [
        { change: 1, reason: 'owned-by-another' },
        { change: 2, reason: 'not-owned' },
      ],
    });
    expect(plan({ theirs: 'them' }, { from: ['theirs'] })).toEqual({ refused: [{ change: 0, reason: 'not-owned' }] });
  });

  it('see the changes before them', () => {
    expect(plan({ a: 'me' }, { from: ['a'], to: 'b' }, { from: ['b'], to: 'c' })).toEqual({
      add: ['c'],
      remove: ['a'],
    });
    expect(plan({ a: 'me' }, { from: ['a'] }, { from: [], to: 'a' })).toEqual({ add: [], remove: [] });
    expect(plan({ a: 'me' }, { from: ['a'] }, { from: ['a'] })).toEqual({
      refused: [{ change: 1, reason: 'not-owned' }],
    });
  });

  it('are no fault if they are already in force', () => {
    expect(plan({ new: 'me' }, { from: ['old'], to: 'new' })).toEqual({ add: [], remove: [] });
    expect(plan({ same: 'me' }, { from: ['same'], to: 'same' })).toEqual({ add: [], remove: [] });
  });

  it('remove a device from any of its slots', () => {
    expect(plan({ device: 'them', unknown: 'me' }, { from: ['device', 'unknown'] })).toEqual({
      add: [],
      remove: ['unknown'],
    });
  });
});

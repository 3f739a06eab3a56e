import { version } from 'uuid';
import { orderedMessageId } from './cloud-events';

describe('the ordered ids of messages', () => {
  afterEach(() => jest.useRealTimers());

  it('sort in the order of creation, within a millisecond and after the clock was set back', () => {
    jest.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00Z') });
    const ids = Array.from({ length: 1_000 }, orderedMessageId);
    jest.setSystemTime(Date.parse('2026-11-21T08:59:59Z'));
    ids.push(orderedMessageId());
    jest.setSystemTime(Date.parse('2026-11-21T09:00:01Z'));
    ids.push(orderedMessageId());
    expect([...ids].sort()).toEqual(ids);
    expect([new Set(ids).size, new Set(ids.map(version))]).toEqual([1_002, new Set([7])]);
  });
});

import { lagsOf, settingsOf, waitingOf, type Service } from './system';

const service = {
  service: 'gateway',
  consumer_groups: [
    { group: 'gateway', state: 'Stable', topics: [{ topic: 'dsr.request-events.v1', lag: 3 }] },
    { group: 'ledger', state: 'Stable', topics: [] },
  ],
  outboxes: [{ outbox: 'commands', oldest_age_seconds: 2 }],
  overdue_work: [{ work: 'starts', overdue_seconds: 0 }],
  settings: [
    { name: 'PORT', value: '8080', hidden: false },
    { name: 'MASTER_KEY_FILE', value: null, hidden: true },
  ],
} as unknown as Service;

it('has a line for each topic of each consumer group', () => {
  expect(lagsOf([service])).toEqual([
    { service: 'gateway', group: 'gateway', state: 'Stable', topic: 'dsr.request-events.v1', lag: 3 },
  ]);
});

it('puts outboxes and overdue work together', () => {
  expect(waitingOf([service])).toEqual([
    { service: 'gateway', what: 'commands', seconds: 2 },
    { service: 'gateway', what: 'starts', seconds: 0 },
  ]);
});

it('finds settings by name and by value', () => {
  const found = (text: string) => settingsOf([service], text).map(({ name }) => name);
  expect([found(''), found(' port '), found('8080'), found('none')]).toEqual([
    ['PORT', 'MASTER_KEY_FILE'],
    ['PORT'],
    ['PORT'],
    [],
  ]);
});

import type { ParkedMeasures } from '@opendsr-service/messaging';
import { ManualClock } from '../clock';
import { silentLogger } from '../logger/logger';
import { storeGauges, outboxAgeGauge, overdueWorkGauge, parkedRecordsGauges } from './service-metrics';

const now = new Date('2026-11-21T09:00:00Z');
const clock = new ManualClock(now);
const ago = (ms: number) => () => Promise.resolve(new Date(now.getTime() - ms));
const nothing = () => Promise.resolve(undefined);

it('shows the longest overdue time of each kind of work in seconds, 0 where nothing is overdue', async () => {
  const { measure } = overdueWorkGauge(clock, { start: ago(1_500), keys: nothing });
  expect(await measure()).toEqual([
    { labels: { work: 'start' }, value: 1.5 },
    { labels: { work: 'keys' }, value: 0 },
  ]);
});

it('shows the age of an outbox, never below 0, as clocks differ', async () => {
  expect(await outboxAgeGauge(clock, 'commands', ago(60_000)).measure()).toEqual([
    { labels: { outbox: 'commands' }, value: 60 },
  ]);
  expect(await outboxAgeGauge(clock, 'commands', ago(-60_000)).measure()).toEqual([
    { labels: { outbox: 'commands' }, value: 0 },
  ]);
});

it('shows parked records of each topic and their age for the group, by whether they block their key', async () => {
  const store: Pick<ParkedMeasures, 'any' | 'count' | 'oldest'> = {
    any: () => Promise.resolve(true),
    count: ({ topic, kind }, atMost) => Promise.resolve(topic === 't1' && kind === 'aside' ? atMost : 0),
    oldest: ({ group, kind }) => (group === 'view' && kind === 'blocking' ? ago(2_000)() : nothing()),
  };
  const [records, oldest] = parkedRecordsGauges(clock, store as ParkedMeasures, {
    view: [{ name: 't1' }, { name: 't2' }],
    destinations: [],
  });
  expect((await records?.measure())?.map(({ labels, value }) => [Object.values(labels).join(), value])).toEqual([
    ['view,t1,blocking', 0],
    ['view,t1,aside', 10_000],
    ['view,t2,blocking', 0],
    ['view,t2,aside', 0],
  ]);
  expect((await oldest?.measure())?.map(({ labels, value }) => [Object.values(labels).join(), value])).toEqual([
    ['view,blocking', 2],
    ['view,aside', 0],
    ['destinations,blocking', 0],
    ['destinations,aside', 0],
  ]);
});

it('shows what was asked as gauges, from memory', async () => {
  const { metrics, pollers } = storeGauges([outboxAgeGauge(clock, 'commands', ago(1_000))], {
    everyMs: 1_000,
    log: silentLogger,
  });
  expect(metrics[0]?.read()).toEqual([]);
  await pollers[0]?.runOnce();
  expect(metrics[0]).toMatchObject({ kind: 'gauge', name: 'opendsr_outbox_oldest_age_seconds', labels: ['outbox'] });
  expect(metrics[0]?.read()).toEqual([{ labels: { outbox: 'commands' }, value: 1 }]);
});

import { PARKED_KINDS, type LogStrategy, type ParkedMeasures } from '@opendsr-service/messaging';
import type { Clock } from '../clock';
import type { Logger } from '../logger/logger';
import type { Poller } from '../workers/poller';
import { storeGauge, type StoreGaugeOptions } from './store-gauge';
import type { Metric } from './metrics';

export type StoreGauge = Omit<StoreGaugeOptions<string>, 'everyMs' | 'log'>;

/** Measures each gauge every `everyMs`. Both lists belong to the parts of a service. */
export function storeGauges(
  questions: readonly StoreGauge[],
  { everyMs, log }: { readonly everyMs: number; readonly log: Logger },
): { readonly metrics: readonly Metric[]; readonly pollers: readonly Poller[] } {
  const asked = questions.map((question) => storeGauge({ ...question, everyMs, log }));
  return { metrics: asked.map(({ metric }) => metric), pollers: asked.map(({ poller }) => poller) };
}

/** Age in seconds; 0 where there is no date, or it is in the future. */
export const secondsSince = (then: Date | undefined, now: Date): number =>
  then ? Math.max(0, now.getTime() - then.getTime()) / 1_000 : 0;

export const overdueWorkGauge = (
  clock: Clock,
  works: Readonly<Record<string, (now: Date) => Promise<Date | undefined>>>,
): StoreGauge => ({
  name: 'opendsr_overdue_seconds',
  help: 'Time since the oldest overdue work was due; 0 where none is overdue.',
  labels: ['work'],
  measure: () =>
    Promise.all(
      Object.entries(works).map(async ([work, find]) => {
        const now = clock.now();
        return { labels: { work }, value: secondsSince(await find(now), now) };
      }),
    ),
});

export const outboxAgeGauge = (
  clock: Clock,
  outbox: string,
  oldest: (now: Date) => Promise<Date | undefined>,
): StoreGauge => ({
  name: 'opendsr_outbox_oldest_age_seconds',
  help: 'Age of the oldest unpublished entry of an outbox; 0 where there is none.',
  labels: ['outbox'],
  measure: async () => {
    const now = clock.now();
    return [{ labels: { outbox }, value: secondsSince(await oldest(now), now) }];
  },
});

export const skippedRecordsMetric = (groups: readonly Pick<LogStrategy, 'group' | 'skipped'>[]): Metric => ({
  name: 'opendsr_records_skipped_total',
  help: 'Records skipped because a later version wrote them or the key that seals them is destroyed.',
  labels: ['group', 'topic'],
  read: () =>
    groups.flatMap(({ group, skipped }) => [...skipped].map(([topic, value]) => ({ labels: { group, topic }, value }))),
});

/** The count of parked records stops here. */
const MOST_PARKED = 10_000;

export function parkedRecordsGauges(
  clock: Clock,
  store: ParkedMeasures,
  groups: Readonly<Record<string, readonly { readonly name: string }[]>>,
): StoreGauge[] {
  const kinds = Object.entries(groups).flatMap(([group, topics]) =>
    topics.flatMap(({ name: topic }) => PARKED_KINDS.map((kind) => ({ group, topic, kind }))),
  );
  const names = Object.keys(groups);
  const ages = names.flatMap((group) => PARKED_KINDS.map((kind) => ({ group, kind })));
  return [
    {
      name: 'opendsr_parked_records',
      help:
        'Parked records, by whether they block later records of their key; ' +
        `each series counts up to ${MOST_PARKED}.`,
      labels: ['group', 'topic', 'kind'],
      measure: async () => {
        if (!(await store.any(names))) return kinds.map((labels) => ({ labels, value: 0 }));
        return Promise.all(kinds.map(async (labels) => ({ labels, value: await store.count(labels, MOST_PARKED) })));
      },
    },
    {
      name: 'opendsr_parked_oldest_age_seconds',
      help:
        'How long the record that was parked first has been there, by whether it holds back the later ' +
        'ones of its key; 0 where none is parked.',
      labels: ['group', 'kind'],
      measure: async () => {
        const now = clock.now();
        if (!(await store.any(names))) return ages.map((labels) => ({ labels, value: 0 }));
        return Promise.all(
          ages.map(async (labels) => ({ labels, value: secondsSince(await store.oldest(labels, now), now) })),
        );
      },
    },
  ];
}

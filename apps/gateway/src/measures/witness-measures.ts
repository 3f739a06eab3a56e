import { secondsSince, type Clock, type Metric, type StoreGauge } from '@opendsr-service/service';
import type { WitnessesStore } from '../evidence/witnesses.store';
import type { Witnessing } from '../evidence/witnessing';

type Watched = Pick<Witnessing, 'id' | 'name' | 'outcomes'>;

/** Names of witnesses look like addresses, which no label holds. */
const labelOf = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '_');

/** How long ago each configured witness cosigned last, or was first asked to; absent before that. */
export const cosignatureAgeGauge = (
  clock: Clock,
  store: Pick<WitnessesStore, 'find'>,
  witnesses: readonly Watched[],
): StoreGauge => ({
  name: 'opendsr_witness_cosignature_age_seconds',
  help: 'Time since a witness of the transparency log cosigned last; before the first time, since it was asked first.',
  labels: ['witness'],
  measure: async () => {
    const found = await Promise.all(
      witnesses.map(async ({ id, name }) => ({ name, since: (await store.find(id))?.since })),
    );
    return found.flatMap(({ name, since }) =>
      since ? [{ labels: { witness: labelOf(name) }, value: secondsSince(since, clock.now()) }] : [],
    );
  },
});

export const offersMetric = (witnesses: readonly Watched[]): Metric => ({
  name: 'opendsr_witness_offers_total',
  help: 'Checkpoints that were offered to a witness of the transparency log, by what became of it.',
  labels: ['witness', 'outcome'],
  read: () =>
    witnesses.flatMap(({ name, outcomes }) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { witness: labelOf(name), outcome }, value })),
    ),
});

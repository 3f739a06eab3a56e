import { createHash } from 'node:crypto';
import { secondsSince, type Clock, type Metric, type StoreGauge } from '@opendsr-service/service';
import type { WitnessesStore } from '../evidence/witnesses.store';
import type { Witnessing } from '../evidence/witnessing';

type Watched = Pick<Witnessing, 'id' | 'name' | 'outcomes'>;

/** The longest value of a label that metrics show. */
const LONGEST = 64;

/** Names of witnesses look like addresses, which no label holds; nor does one hold what looks like an id. */
function wordOf(name: string): string {
  const word = name
    .replaceAll(/[^a-z0-9]+/gi, '_')
    .replace(/^(?=\d)/, '_')
    .replaceAll(/\d{5}(?=\d)/g, '$&_')
    .replaceAll(/[0-9a-f]{15}(?=[0-9a-f])/gi, '$&_');
  return cut(word, LONGEST);
}

const cut = (word: string, length: number): string => word.slice(0, length).replace(/(?<=.)_$/, '');

/** Letters that tell apart what has the same word; no digits, which might look like an id. */
const markOf = (id: string): string =>
  Array.from(createHash('sha256').update(id).digest().subarray(0, 8), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  ).join('');

/** The label of each witness, by its id: no two share one, or their ages would be added. */
function labelsOf(witnesses: readonly Pick<Watched, 'id' | 'name'>[]): ReadonlyMap<string, string> {
  const words = witnesses.map(({ name }) => wordOf(name));
  return new Map(
    witnesses.map(({ id }, index) => {
      const word = words[index] ?? '';
      const isShared = words.indexOf(word) !== words.lastIndexOf(word);
      return [id, isShared ? `${cut(word, LONGEST - 9)}_${markOf(id)}` : word];
    }),
  );
}

/** How long ago each configured witness cosigned last, or was first asked to; absent before that. */
export function cosignatureAgeGauge(
  clock: Clock,
  store: Pick<WitnessesStore, 'find'>,
  witnesses: readonly Watched[],
): StoreGauge {
  const labels = labelsOf(witnesses);
  return {
    name: 'opendsr_witness_cosignature_age_seconds',
    help: 'Time since a witness of the transparency log cosigned last; before the first time, since it was asked first.',
    labels: ['witness'],
    measure: async () => {
      const found = await Promise.all(witnesses.map(async ({ id }) => ({ id, since: (await store.find(id))?.since })));
      return found.flatMap(({ id, since }) =>
        since ? [{ labels: { witness: labels.get(id) ?? '' }, value: secondsSince(since, clock.now()) }] : [],
      );
    },
  };
}

export function offersMetric(witnesses: readonly Watched[]): Metric {
  const labels = labelsOf(witnesses);
  return {
    name: 'opendsr_witness_offers_total',
    help: 'Checkpoints that were offered to a witness of the transparency log, by what became of it.',
    labels: ['witness', 'outcome'],
    read: () =>
      witnesses.flatMap(({ id, outcomes }) =>
        [...outcomes].map(([outcome, value]) => ({ labels: { witness: labels.get(id) ?? '', outcome }, value })),
      ),
  };
}

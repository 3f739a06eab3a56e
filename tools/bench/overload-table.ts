import { alignColumns, type OfForm } from './columns';
import { refusedOf, takenOf, type OverloadMeasured } from './overload-result';
import type { Spread } from './statistics';

/** Overload as plain text: what was taken and refused of several times the saturating load, how late, and in how much memory. */
export function overloadTablesOf(forms: readonly OfForm<OverloadMeasured>[]): string[] {
  if (forms.length === 0) return [];
  const titles = [
    'form',
    'creates under overload',
    'saturating/s',
    'offered/s',
    'taken/s',
    'refused/s',
    'taken p99 ms',
    'refused p99 ms',
    'MiB before',
    'MiB growth',
  ];
  return [alignColumns([titles, ...forms.map(rowOf)])];
}

function rowOf({ form, measured }: OfForm<OverloadMeasured>): string[] {
  const { saturatingPerSecond, seconds, offered, taken, refused, rssMiB } = measured;
  return [
    form,
    '201 or refused',
    saturatingPerSecond.toFixed(0),
    ...[offered, takenOf(measured), refusedOf(measured)].map((count) => (count / seconds).toFixed(0)),
    ...[taken, refused].map(p99),
    rssMiB.before.toFixed(0),
    (Math.max(rssMiB.firstHalf, rssMiB.secondHalf) - rssMiB.before).toFixed(0),
  ];
}

const p99 = (spread: Spread | null): string => spread?.p99Ms.toFixed(0) ?? '-';

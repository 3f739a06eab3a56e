import type { DataResult } from './data';
import { alignColumns, spreadCells, type OfForm } from './columns';

const listed = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([part, value]) => `${part} ${value}`)
    .join(', ');
const mapped = <T>(values: Readonly<Record<string, T>>, show: (value: T) => string) =>
  Object.fromEntries(Object.entries(values).map(([part, value]) => [part, show(value)]));

/** The figures about data of persons as plain text, a table for each kind that was measured. */
export function dataTablesOf(forms: readonly OfForm<DataResult>[]): string[] {
  return [eventsTable(forms), exportsTable(forms), lookupsTable(forms)]
    .filter((rows) => rows.length > 1)
    .map((rows) => alignColumns(rows));
}

const eventsTable = (forms: readonly OfForm<DataResult>[]): string[][] => [
  ['form', 'events taken in', 'batches/s', 'events/s', 'of a bare producer', 'stored after ms', 'CPU ms for one batch'],
  ...forms.flatMap(({ form, measured: { events } }) => {
    if (!events) return [];
    const { batchesPerSecond, eventsPerSecond, bareProducerPerSecond: bare, drainMs, cpuMsEach } = events;
    const ofBare = bare === null ? '-' : (batchesPerSecond / bare).toFixed(3);
    return [
      [
        form,
        '202 to stored',
        batchesPerSecond.toFixed(0),
        eventsPerSecond.toFixed(0),
        ofBare,
        drainMs.toFixed(0),
        listed(mapped(cpuMsEach, (ms) => ms.toFixed(2))),
      ],
    ];
  }),
];

const exportsTable = (forms: readonly OfForm<DataResult>[]): string[][] => [
  ['form', 'archive of events', 'MB', 'seconds', 'MB/s', 'download s', 'peak MiB', 'event loop p99/longest ms'],
  ...forms.flatMap(({ form, measured }) =>
    measured.exports.map(({ events, megabytes, seconds, downloadSeconds, peakMiB, loopDelay }) => [
      form,
      String(events),
      megabytes.toFixed(1),
      seconds.toFixed(1),
      (megabytes / seconds).toFixed(1),
      downloadSeconds.toFixed(1),
      listed(mapped(peakMiB, (mib) => mib.toFixed(0))),
      listed(mapped(loopDelay, ({ p99Ms, longestMs }) => `${p99Ms.toFixed(0)}/${longestMs.toFixed(0)}`)),
    ]),
  ),
];

const lookupsTable = (forms: readonly OfForm<DataResult>[]): string[][] => [
  ['form', 'look-up among profiles', 'p50 ms', 'p99 ms'],
  ...forms.flatMap(({ form, measured }) =>
    measured.lookups.map(({ profiles, spread }) => [form, String(profiles), ...spreadCells(spread, 2)]),
  ),
];

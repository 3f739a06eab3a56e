import type { CallbacksResult } from './callbacks-result';
import { alignColumns, spreadCells, type OfForm } from './columns';
import { ratios, type Floor } from './floor-ratios';

/** Callbacks as plain text: how many a second beside the floor, what one costs, and how late they are while there are few. */
export function callbackTablesOf(forms: readonly OfForm<CallbacksResult>[], floor: Floor): string[] {
  return [drainsTable(forms, floor), delayTable(forms)].filter((rows) => rows.length > 1).map(alignColumns);
}

const drainsTable = (forms: readonly OfForm<CallbacksResult>[], floor: Floor): string[][] => [
  [
    'form',
    'callbacks to',
    'a host',
    'delivered',
    'a second',
    'of the floor',
    'of one core',
    'p50 ms',
    'p99 ms',
    'CPU ms for one',
  ],
  ...forms.flatMap(({ form, measured: { drains } }) =>
    drains.map(({ receivers, dead, perHost, delivered, perSecond, spread, cpuMsEach }) => {
      const { ofAllCores, ofOneCore } = ratios(perSecond, floor);
      const costs = Object.entries(cpuMsEach)
        .map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
        .join(', ');
      return [
        form,
        receiversIn(receivers, dead),
        String(perHost),
        String(delivered),
        perSecond.toFixed(0),
        ofAllCores.toFixed(3),
        ofOneCore.toFixed(3),
        ...spreadCells(spread),
        costs,
      ];
    }),
  ),
];

const receiversIn = (receivers: number, dead: number): string =>
  `${String(receivers)} receiver${receivers === 1 ? '' : 's'}${dead > 0 ? `, ${String(dead)} dead` : ''}`;

const delayTable = (forms: readonly OfForm<CallbacksResult>[]): string[][] => [
  [
    'form',
    'callbacks at light load',
    'a second',
    'delivered',
    'tick p50 ms',
    'tick p99 ms',
    'change p50 ms',
    'change p99 ms',
  ],
  ...forms.map(({ form, measured: { delay } }) => [
    form,
    'a tick a second',
    String(delay.perSecond),
    String(delay.delivered),
    ...spreadCells(delay.fromTick),
    ...spreadCells(delay.fromChange),
  ]),
];

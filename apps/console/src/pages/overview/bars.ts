import { scaleBand, scaleLinear } from 'd3-scale';

/** In units of the drawing, which is as wide as there is room. */
export const SIZE = { width: 480, height: 180 } as const;
/** Where bars are: the rest holds the numbers and the days. */
const AREA = { left: 52, right: SIZE.width - 6, top: 12, bottom: SIZE.height - 26 } as const;
const TICKS = 4;
const GAP = 0.3;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How bars are drawn. */
export interface Bars {
  /** In the order of the counts. `room`: the whole height above the day, wide enough for a finger. */
  readonly bars: readonly { readonly bar: Box; readonly room: Box; readonly middle: number }[];
  /** Whole numbers, and where their lines are. */
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

/** A bar for each count. `most`: the largest of all drawings that are compared. */
export function barsOf(counts: readonly number[], most: number): Bars {
  const across = scaleBand<number>().domain(counts.keys()).range([AREA.left, AREA.right]);
  const up = scaleLinear()
    .domain([0, Math.max(1, most)])
    .nice(TICKS)
    .range([AREA.bottom, AREA.top]);
  const room = across.bandwidth();
  return {
    bars: counts.map((count, at) => {
      const x = across(at) ?? 0;
      return {
        bar: { x: x + (room * GAP) / 2, y: up(count), width: room * (1 - GAP), height: AREA.bottom - up(count) },
        room: { x, y: AREA.top, width: room, height: AREA.bottom - AREA.top },
        middle: x + room / 2,
      };
    }),
    ticks: up
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: up(value) })),
  };
}

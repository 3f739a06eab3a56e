import { Link } from 'react-router';
import { useFormats } from '../../language/language-context';
import { barsOf, SIZE } from './bars';

interface DayBarsProps {
  /** The accessible name. */
  readonly name: string;
  readonly counts: readonly { readonly day: string; readonly count: number }[];
  /** The largest count of all drawings that are compared. */
  readonly most: number;
  /** What a bar says of a day. */
  readonly label: (day: string, count: string) => string;
  /** The list that a bar counts, if there is one. */
  readonly listOf?: (day: string) => string;
}

/** A bar for each day. Every second day is written below, the last one among them. */
export function DayBars({ name, counts, most, label, listOf }: DayBarsProps) {
  const { count: written, utcDay, utcDayOfMonth } = useFormats();
  const { bars, ticks } = barsOf(
    counts.map(({ count }) => count),
    most,
  );
  return (
    <div className="console-chart" role="region" aria-label={name} tabIndex={0}>
      <svg
        viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`}
        role={listOf ? 'group' : 'img'}
        aria-label={name}
      >
        {ticks.map(({ value, y }) => (
          <g key={value} aria-hidden="true">
            <line className="console-chart-line" x1={0} x2={SIZE.width} y1={y} y2={y} />
            <text x={0} y={y - 3}>
              {written(value)}
            </text>
          </g>
        ))}
        {bars.map(({ bar, room, middle }, at) => {
          const { day = '', count = 0 } = counts[at] ?? {};
          const said = label(utcDay(day), written(count));
          const drawn = (
            <>
              <title>{said}</title>
              <rect className="console-chart-room" {...room} />
              <rect className="console-chart-bar" {...bar} />
            </>
          );
          const isWritten = (bars.length - 1 - at) % 2 === 0;
          return (
            <g key={day}>
              {listOf ? (
                <Link to={listOf(day)} aria-label={said}>
                  {drawn}
                </Link>
              ) : (
                drawn
              )}
              {isWritten && (
                <text x={middle} y={SIZE.height - 8} textAnchor="middle" aria-hidden="true">
                  {utcDayOfMonth(day)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

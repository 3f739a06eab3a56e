import { knownSeries } from '../../monitoring/declared/declared';
import { readExpression } from './promql';

/** Labels that the scraper adds to every series. */
export const OF_TARGETS = ['namespace', 'service', 'job', 'instance', 'pod'];

/**
 * The faults of an expression: syntax errors and unknown metrics or labels. `others`: labels of metrics that are not
 * ours.
 */
export function faultsOf(expr: string, others: Readonly<Record<string, readonly string[]>> = {}): string[] {
  const known = new Map([...knownSeries(), ...Object.entries(others)]);
  const { metrics, filters, groups, errors } = readExpression(expr);
  const missing = [...filters, ...groups].flatMap(({ metrics: of, labels }) =>
    of.flatMap((metric) =>
      labels
        .filter((label) => !OF_TARGETS.includes(label) && known.has(metric) && !known.get(metric)?.includes(label))
        .map((label) => `${metric} has no label ${label}`),
    ),
  );
  return [
    ...errors,
    ...(metrics.length === 0 ? ['reads no metric'] : []),
    ...metrics.filter((metric) => !known.has(metric)).map((metric) => `there is no metric ${metric}`),
    ...missing,
  ];
}

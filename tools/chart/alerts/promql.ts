import { parser } from '@prometheus-io/lezer-promql';

/** What an expression of Prometheus reads, and where it is none. */
export interface Expression {
  /** Names of the metrics that it reads. */
  readonly metrics: readonly string[];
  /** The places that cannot be parsed, by what stands there. */
  readonly errors: readonly string[];
}

export function readExpression(text: string): Expression {
  const metrics: string[] = [];
  const errors: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) errors.push(`at ${from}: ${text.slice(from, Math.max(to, from + 12))}`);
      const name = type.name === 'VectorSelector' ? node.firstChild : undefined;
      if (name?.type.name === 'Identifier') metrics.push(text.slice(name.from, name.to));
      else if (type.name === 'VectorSelector') errors.push(`at ${from}: a selector without the name of its metric`);
    },
  });
  return { metrics, errors };
}

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** Labels that some place of an expression names, and the metrics that it names them of. */
interface NamedLabels {
  readonly labels: readonly string[];
  readonly metrics: readonly string[];
}

/** The metrics and labels of a Prometheus expression, or its syntax error. */
interface Expression {
  /** Names of the metrics that it reads. */
  readonly metrics: readonly string[];
  /** By what it chooses series: each selector by itself. */
  readonly filters: readonly NamedLabels[];
  /** By what it groups or joins them. */
  readonly groups: readonly NamedLabels[];
  /** The places that cannot be parsed, by what stands there. */
  readonly errors: readonly string[];
}

export function readExpression(text: string): Expression {
  const [metrics, errors]: [string[], string[]] = [[], []];
  const [filters, groups]: [NamedLabels[], NamedLabels[]] = [[], []];
  const tree = parser.parse(text);
  const said = ({ from, to }: SyntaxNode): string => text.slice(from, to);
  tree.iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) errors.push(`at ${from}: ${text.slice(from, Math.max(to, from + 12))}`);
      if (type.name === 'VectorSelector') {
        const name = metricOf(node, said);
        if (name === undefined) errors.push(`at ${from}: a selector without the name of its metric`);
        else metrics.push(name);
        filters.push({ labels: matched(node).map(said), metrics: name === undefined ? [] : [name] });
      }
      if (type.name === 'GroupingLabels')
        groups.push({
          labels: node.getChildren('LabelName').map(said),
          metrics: metricsAround(node).flatMap((selector) => metricOf(selector, said) ?? []),
        });
    },
  });
  return { metrics, filters, groups, errors };
}

const metricOf = ({ firstChild: name }: SyntaxNode, said: (node: SyntaxNode) => string): string | undefined =>
  name?.type.name === 'Identifier' ? said(name) : undefined;

const matched = (selector: SyntaxNode): SyntaxNode[] =>
  (selector.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).flatMap(
    ({ firstChild }) => firstChild ?? [],
  );

/** The selectors in the aggregation or the join that some labels belong to. */
function metricsAround(labels: SyntaxNode): SyntaxNode[] {
  let around: SyntaxNode | null = labels.parent;
  while (around && !['AggregateExpr', 'BinaryExpr'].includes(around.type.name)) around = around.parent;
  const found: SyntaxNode[] = [];
  around?.cursor().iterate(({ type, node }) => {
    if (type.name === 'VectorSelector') found.push(node);
  });
  return found;
}

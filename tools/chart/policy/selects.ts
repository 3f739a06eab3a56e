import type { Labels } from '../manifest';

/** A selector of labels as Kubernetes has it. */
export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

function holds(
  labels: Labels,
  { key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number],
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      throw new Error(`no such operator of a selector: ${operator}`);
  }
}

/** Whether a selector takes these labels. One without a demand takes all. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((expression) => holds(labels, expression));

import type { Difference } from './projection';

const MOST_NAMED = 1_000;

export interface Comparison {
  readonly projection: string;
  readonly documents: number;
  /** Documents that begin before the log: not compared. */
  readonly older: number;
  readonly differing: Readonly<Record<Difference['kind'], number>>;
  readonly differences: readonly Difference[];
}

export class Tally {
  private documents = 0;
  private older = 0;
  private readonly differing: Record<Difference['kind'], number> = {
    missing: 0,
    differs: 0,
    surplus: 0,
    'beyond the log': 0,
    'changed meanwhile': 0,
  };
  private readonly differences: Difference[] = [];

  constructor(private readonly projection: string) {}

  count(judged: 'same' | 'older' | { readonly difference: Difference }): void {
    this.documents += 1;
    if (judged === 'older') this.older += 1;
    if (typeof judged === 'object') this.note(judged.difference);
  }

  note(difference: Difference): void {
    this.differing[difference.kind] += 1;
    if (this.differences.length < MOST_NAMED) this.differences.push(difference);
  }

  get comparison(): Comparison {
    const { projection, documents, older } = this;
    return { projection, documents, older, differing: { ...this.differing }, differences: [...this.differences] };
  }
}

export const countDifferences = ({ differing }: Pick<Comparison, 'differing'>): number =>
  Object.values(differing).reduce((sum, count) => sum + count, 0);

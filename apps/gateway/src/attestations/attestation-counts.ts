import type { Metric } from '@opendsr-service/service';

const STATEMENTS = [1, 2] as const;

/** Counts the attestations that this process has put on the log. */
export class AttestationCounts {
  private readonly counts = new Map<number, number>(STATEMENTS.map((statement) => [statement, 0]));

  made(statement: (typeof STATEMENTS)[number], count: number): void {
    this.counts.set(statement, (this.counts.get(statement) ?? 0) + count);
  }

  get metric(): Metric {
    return {
      name: 'opendsr_attestations_total',
      help: 'Attestations that this process has put on the transparency log, by statement: 1 of the end of a request, 2 of the end of the generation of its destroyed keys.',
      labels: ['statement'],
      read: () => [...this.counts].map(([statement, value]) => ({ labels: { statement: String(statement) }, value })),
    };
  }
}

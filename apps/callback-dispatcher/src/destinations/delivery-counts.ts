import { DELIVERY_OUTCOMES, GIVEN_UP_REASONS, type CallbackAttempted } from '@opendsr-service/contracts';
import type { Metric } from '@opendsr-service/service';
import type { GivenUpReason } from './destination';

export class DeliveryCounts {
  private readonly attempts = zeros(DELIVERY_OUTCOMES);
  private readonly given = zeros(GIVEN_UP_REASONS);

  attempted(outcome: CallbackAttempted['outcome']): void {
    this.attempts[outcome] += 1;
  }

  givenUp(reason: GivenUpReason, count: number): void {
    this.given[reason] += count;
  }

  get metrics(): Metric[] {
    return [
      {
        name: 'opendsr_callback_attempts_total',
        help: 'Attempts to send a callback, by outcome',
        labels: ['outcome'],
        read: () => wordsOf(this.attempts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'opendsr_callbacks_given_up_total',
        help: 'Callbacks that were given up, by reason',
        labels: ['reason'],
        read: () => wordsOf(this.given).map(([reason, value]) => ({ labels: { reason }, value })),
      },
    ];
  }
}

const wordsOf = (counts: Readonly<Record<string, number>>) => Object.entries(counts);

const zeros = <W extends string>(words: readonly W[]) =>
  Object.fromEntries(words.map((word) => [word, 0])) as Record<W, number>;

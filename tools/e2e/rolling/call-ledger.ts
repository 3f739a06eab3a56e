/** A call of a client with its result. */
export interface Call {
  readonly what: string;
  /** The status of its answer, or why there is none; of its last answer, where it was repeated. */
  readonly outcome: number | string;
  /** The statuses that are right. */
  readonly expected: readonly number[];
  /** Whether the answer had a Retry-After. */
  readonly retryAfter?: boolean;
  /** How often it was refused before, with the time to come again. */
  readonly refusals?: number;
}

/** What went wrong with calls; every list is empty where all is well. */
interface CallFaults {
  /** Without an answer. */
  readonly broken: readonly string[];
  /** Answered with 503 and the time to come again, as the interface allows. */
  readonly putOff: readonly string[];
  /** Those of them that were refused each time they were repeated. */
  readonly refused: readonly string[];
  /** Answered with what it should not have been. */
  readonly wrong: readonly string[];
}

/** All calls of clients with their results. */
export class CallLedger {
  private readonly calls: Call[] = [];

  note(call: Call): void {
    this.calls.push(call);
  }

  /** How many calls there were of each kind and outcome. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const call of this.calls) counts[named(call)] = (counts[named(call)] ?? 0) + 1;
    return counts;
  }

  get answered(): number {
    return this.calls.filter(({ outcome }) => typeof outcome === 'number').length;
  }

  faults(): CallFaults {
    const unexpected = this.calls.filter(
      ({ outcome, expected }) => typeof outcome !== 'number' || !expected.includes(outcome),
    );
    return {
      broken: unexpected.filter(isBroken).map(named),
      putOff: this.calls.filter((call) => call.refusals || isRefused(call)).map(({ what }) => `${what} 503`),
      refused: unexpected.filter(isRefused).map(named),
      wrong: unexpected.filter((call) => !isBroken(call) && !isRefused(call)).map(named),
    };
  }
}

const named = ({ what, outcome }: Call): string => `${what} ${String(outcome)}`;
const isBroken = ({ outcome }: Call): boolean => typeof outcome !== 'number';
const isRefused = ({ outcome, retryAfter }: Call): boolean => outcome === 503 && retryAfter === true;

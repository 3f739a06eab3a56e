import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import type { Logger } from '@opendsr-service/service';
import type { Refusal } from './subject';

const REFUSALS: Readonly<Record<AfterErasurePolicy, Refusal | undefined>> = {
  accept: undefined,
  drop: 'dropped',
  reject: 'rejected',
};

/** Undefined: the call continues. */
export const refusalByPolicy = (policy: AfterErasurePolicy): Refusal | undefined => REFUSALS[policy];

/** Whether the call is refused as of now. Under `accept` nothing is read. */
export const refusesErased = async (policy: AfterErasurePolicy, findErased: () => Promise<boolean>): Promise<boolean> =>
  refusalByPolicy(policy) !== undefined && (await findErased());

/** The policy during one call: counted once for all attempts. */
export class CallPolicy {
  private isCounted = false;

  constructor(
    readonly policy: AfterErasurePolicy,
    private readonly counts: Pick<AfterErasureCounts, 'countApplied'>,
  ) {}

  apply(isErased: boolean): Refusal | undefined {
    if (isErased && !this.isCounted) this.counts.countApplied(this.policy);
    this.isCounted ||= isErased;
    return isErased ? refusalByPolicy(this.policy) : undefined;
  }
}

export class AfterErasureCounts {
  private readonly counts: Record<AfterErasurePolicy, number> = { accept: 0, drop: 0, reject: 0 };

  constructor(private readonly log: Logger) {}

  get values(): Readonly<Record<AfterErasurePolicy, number>> {
    return this.counts;
  }

  countApplied(policy: AfterErasurePolicy): void {
    const count = (this.counts[policy] += 1);
    // At 1, 2, 4, 8 and so on: a device that never stops sending would fill the log.
    if ((count & (count - 1)) === 0)
      this.log.info({ reason: policy, count }, 'Data arrived for an erased data subject');
  }
}

import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import type { Logger } from '@opendsr-service/service';
import type { Refusal } from './subject';

/** Where it is told that a policy was applied to data that came for somebody who was erased. */
export interface PolicyCounter {
  countApplied(policy: AfterErasurePolicy): void;
}

const REFUSALS: Readonly<Record<AfterErasurePolicy, Refusal | undefined>> = {
  accept: undefined,
  drop: 'dropped',
  reject: 'rejected',
};

/** What becomes of a call that names somebody erased; undefined: it goes on. */
export const refusalByPolicy = (policy: AfterErasurePolicy): Refusal | undefined => REFUSALS[policy];

/** The policy as one call meets it: counted once, however often the call is tried. */
export class CallPolicy {
  private isCounted = false;

  constructor(
    readonly policy: AfterErasurePolicy,
    private readonly counts: PolicyCounter,
  ) {}

  /** What becomes of the call; undefined: it goes on. */
  apply(isErased: boolean): Refusal | undefined {
    if (isErased && !this.isCounted) this.counts.countApplied(this.policy);
    this.isCounted ||= isErased;
    return isErased ? refusalByPolicy(this.policy) : undefined;
  }
}

/** How often each policy was applied in this process since it started. Of whom is not known here. */
export class AfterErasureCounts implements PolicyCounter {
  private readonly counts: Record<AfterErasurePolicy, number> = { accept: 0, drop: 0, reject: 0 };

  constructor(private readonly log: Logger) {}

  get values(): Readonly<Record<AfterErasurePolicy, number>> {
    return this.counts;
  }

  countApplied(policy: AfterErasurePolicy): void {
    const count = (this.counts[policy] += 1);
    // At 1, 2, 4, 8 and so on: a device that never stops sending would fill the log.
    if ((count & (count - 1)) === 0) this.log.info({ reason: policy, count }, 'Data came for an erased person');
  }
}

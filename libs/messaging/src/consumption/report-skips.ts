import type { ConsumeOptions, MessagingLogger } from '../port';
import type { SkipReason, Verdict } from '../records';

const REASONS: readonly string[] = ['later-version', 'key-gone'] satisfies readonly SkipReason[];
const isSkipped = (verdict: Verdict): verdict is SkipReason => typeof verdict === 'string' && REASONS.includes(verdict);

export function reportSkips(
  topic: string,
  verdicts: readonly Verdict[],
  { group, logger, onSkipped }: Pick<ConsumeOptions, 'group' | 'onSkipped'> & { readonly logger: MessagingLogger },
): void {
  for (const [reason, those] of Map.groupBy(verdicts.filter(isSkipped), (verdict) => verdict)) {
    logger.info({ group, topic, count: those.length, reason }, 'records skipped');
    onSkipped?.(topic, those.length);
  }
}

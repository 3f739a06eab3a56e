import { MalformedMessage, type Codec } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '@opendsr-service/messaging';

/** The index of a record in its page, and its message. */
export interface Decoded<M> {
  readonly index: number;
  readonly message: M;
}

/**
 * Decodes each record on its own, so that a malformed one affects no other. `verdicts` parks malformed records, and has
 * `done` for the rest.
 */
export function decodeEach<M>(
  codec: Codec<M>,
  records: readonly LogRecord[],
): { readonly decoded: readonly Decoded<M>[]; readonly verdicts: Verdict[] } {
  const verdicts: Verdict[] = records.map(() => 'done');
  const decoded = records.flatMap((record, index): Decoded<M>[] => {
    try {
      return [{ index, message: codec.decode(record) }];
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      // A malformed record stays malformed, so later records need not wait for it.
      verdicts[index] = { park: error.reason, aside: true };
      return [];
    }
  });
  return { decoded, verdicts };
}

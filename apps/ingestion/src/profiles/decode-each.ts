import { MalformedMessage, type Codec } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '@opendsr-service/messaging';

export interface Decoded<M> {
  readonly index: number;
  readonly message: M;
}

/** A malformed record affects no other. `verdicts` is `done` for well-formed ones. */
export function decodeEach<M extends { readonly type: string }>(
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

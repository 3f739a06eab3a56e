import { MalformedMessage, type Codec } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '@opendsr-service/messaging';

/** A record's place in its batch, with its message. */
export interface Decoded<M> {
  readonly index: number;
  readonly message: M;
}

/**
 * Reads each record for itself, so that one which is no message of the topic costs the others nothing. `verdicts`
 * hold what it answers for these, and `done` for the rest.
 */
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
      // Nothing can be made of it later either, so what comes after it need not wait for it.
      verdicts[index] = { park: error.reason, aside: true };
      return [];
    }
  });
  return { decoded, verdicts };
}

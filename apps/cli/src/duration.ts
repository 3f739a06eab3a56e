import { parseDurationMs } from '@opendsr-service/config';
import { UsageError } from './options';

const MAX_DURATION_MS = 3_650 * 86_400_000;

/** Milliseconds of a duration such as `90d`. */
export const duration =
  (minMs: number) =>
  (text: string): number => {
    const ms = parseDurationMs(text);
    if (ms === undefined) throw new UsageError('must be a duration such as 90d, 24h or 15min');
    if (ms < minMs || ms > MAX_DURATION_MS) throw new UsageError(`must be from ${minMs} ms to 3650 days`);
    return ms;
  };

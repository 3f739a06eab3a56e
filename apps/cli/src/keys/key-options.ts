import { parseDurationMs } from '@opendsr-service/config';
import { KEY_KNOWN_MS, SCOPES } from '@opendsr-service/workspaces';
import { matching, required, someOf, UsageError } from '../options';

const MAX_DURATION_MS = 3_650 * 86_400_000;

/** Refuses the secret of a key here, so that no message repeats it. */
export const key = required(
  'K',
  matching(/^(?!dsrs_)[^\s:]{1,256}$/, 'the key, which starts with dsrk_, not its secret'),
);
export const scopes = someOf(SCOPES);
export const lifetime = duration(1);
export const overlap = duration(KEY_KNOWN_MS);

function duration(minMs: number) {
  return (text: string): number => {
    const ms = parseDurationMs(text);
    if (ms === undefined) throw new UsageError('must be a duration such as 90d, 24h or 15min');
    if (ms < minMs || ms > MAX_DURATION_MS) throw new UsageError(`must be from ${minMs} ms to 3650 days`);
    return ms;
  };
}

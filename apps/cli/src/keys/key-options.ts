import { KEY_KNOWN_MS, SCOPES } from '@opendsr-service/workspaces';
import { duration } from '../duration';
import { matching, required, someOf } from '../options';

/** Refuses the secret of a key here, so that no message repeats it. */
export const key = required(
  'K',
  matching(/^(?!dsrs_)[^\s:]{1,256}$/, 'the key, which starts with dsrk_, not its secret'),
);
export const scopes = someOf(SCOPES);
export const lifetime = duration(KEY_KNOWN_MS);
export const overlap = duration(KEY_KNOWN_MS);

import type { AttestationCheck, AttestationCheckName } from './types';

/** `detail` says what has to be so; a failed check says that it is not. */
export const checked = (check: AttestationCheckName, passed: boolean, detail: string): AttestationCheck => ({
  check,
  passed,
  detail: passed ? detail : `not so: ${detail}`,
});

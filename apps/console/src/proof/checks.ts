/** The checks of a signer, in the order in which they run. */
export const SIGNER_CHECKS = ['certificate', 'chain', 'names', 'dates', 'usage', 'signature'] as const;
export type SignerCheck = (typeof SIGNER_CHECKS)[number];

/** The checks of an attestation, as libs/client names them. Those from `checkpoint` to `entry` need the key of the log. */
export const ATTESTATION_CHECKS = [
  ...(['format', 'payload-type', 'checkpoint', 'witnesses', 'inclusion', 'entry'] as const),
  ...SIGNER_CHECKS,
  ...(['statement-type', 'predicate-type', 'schema'] as const),
] as const;
export type AttestationCheck = (typeof ATTESTATION_CHECKS)[number];

/** What came of one check. `of`: what it found, where that is worth showing. */
export interface Check<Name extends string> {
  readonly check: Name;
  readonly passed: boolean;
  readonly of?: string;
}

/** What checks that ran in their order lead to. */
export interface Verdict<Name extends string> {
  readonly isValid: boolean;
  /** Up to the first that fails. */
  readonly checks: readonly Check<Name>[];
}

export function verdictOf<Name extends string>(checks: readonly Check<Name>[]): Verdict<Name> {
  const failed = checks.findIndex(({ passed }) => !passed);
  return { isValid: failed === -1, checks: failed === -1 ? checks : checks.slice(0, failed + 1) };
}

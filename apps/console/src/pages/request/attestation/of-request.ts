import type { Check, AttestationCheck } from '../../../proof/checks';
import type { AttestationVerdict } from '../../../proof/verify-attestation';
import type { Which } from '../../../requests/request-query';

/** A verdict on the attestation of one request. */
export type RequestVerdict = Omit<AttestationVerdict, 'checks'> & {
  readonly checks: readonly Check<AttestationCheck | 'request'>[];
};

/** A valid attestation of another request proves nothing about this one. It names the request as the controller wrote it. */
export function ofRequest(verdict: AttestationVerdict, { ws, srid }: Which): RequestVerdict {
  if (!verdict.statement) return verdict;
  const { workspace, requestId } = verdict.statement.attestation;
  const passed = workspace === ws && requestId.toLowerCase() === srid.toLowerCase();
  return { ...verdict, isValid: verdict.isValid && passed, checks: [...verdict.checks, { check: 'request', passed }] };
}

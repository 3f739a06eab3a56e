import type { AttestationVerdict } from '../../../proof/verify-attestation';
import { ofRequest } from './of-request';

const which = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
const verdictOn = (workspace: string, requestId: string): AttestationVerdict => ({
  isValid: true,
  checks: [{ check: 'schema', passed: true }],
  statement: { attestation: { workspace, requestId }, subjects: { events: 'd' } } as never,
});

it.each([which.srid, which.srid.toUpperCase()])('a valid attestation of this request is valid: %s', (requestId) => {
  const verdict = ofRequest(verdictOn(which.ws, requestId), which);
  expect([verdict.isValid, verdict.checks.at(-1)]).toEqual([true, { check: 'request', passed: true }]);
});

it.each([
  ['another request', which.ws, '00000000-0000-4000-8000-000000000000'],
  ['another workspace', 'other', which.srid],
])('one of %s is not', (_what, workspace, requestId) => {
  const verdict = ofRequest(verdictOn(workspace, requestId), which);
  expect([verdict.isValid, verdict.checks.at(-1)]).toEqual([false, { check: 'request', passed: false }]);
});

it('one that is invalid stays so, for its own reason', () => {
  const invalid: AttestationVerdict = { isValid: false, checks: [{ check: 'format', passed: false }] };
  expect(ofRequest(invalid, which)).toEqual(invalid);
});

import { STATEMENT_MEDIA_TYPE } from '@opendsr-service/contracts';
import { MAX_SIGNATURES } from '@opendsr-service/signing';
import { NoteKeyError, noteVerifier, witnessVerifier, type NoteVerifier } from '@opendsr-service/transparency';
import { upToFirstFailure } from '../verify/certificate-checks';
import { trustedAuthorities } from '../verify/settings';
import type { InvalidVerdict } from '../verify/types';
import { checked } from './checked';
import { logChecks, type LogTrust } from './log-checks';
import { contentOf, readAttestationFile, type AttestationFile } from './read-file';
import { signatureChecks, type SignatureFindings } from './signature-checks';
import type { AttestationCheck, AttestationCheckName, AttestationOptions, AttestationVerdict } from './types';

/**
 * Verifies an attestation, an envelope or a bundle, offline. Revocation is not checked. Never throws for what the file holds; throws a
 * TypeError on invalid options.
 */
export function verifyAttestation(file: Uint8Array, options: AttestationOptions): AttestationVerdict {
  const trust = trustOf(options);
  const read = readAttestationFile(file);
  if (!read) return refused([checked('format', false, FORMAT)]);
  const isOfType = read.envelope.payloadType === STATEMENT_MEDIA_TYPE;
  const log = trust.log && logChecks(read, trust.log);
  const first = [
    checked('format', true, read.bundle ? 'a bundle' : 'an envelope'),
    checked('payload-type', isOfType, STATEMENT_MEDIA_TYPE),
    ...(log?.checks ?? []),
  ];
  if (first.some(({ passed }) => !passed)) return refused(first);
  const at = log?.at === undefined ? trust.now() : new Date(log.at);
  const { checks, signer } = signatureChecks(read.envelope, { ...trust, at });
  if (!signer) return refused([...first, ...checks]);
  const verdict = withContent({ read, checks: [...first, ...checks], signer, isLogged: log !== undefined });
  return ofRequest(verdict, options.requestId);
}

const FORMAT = `an envelope of DSSE with at most ${String(MAX_SIGNATURES)} signatures, or a bundle of version 1 with one`;

interface Signed {
  readonly read: AttestationFile;
  readonly checks: readonly AttestationCheck[];
  readonly signer: NonNullable<SignatureFindings['signer']>;
  readonly isLogged: boolean;
}

function withContent({ read, checks, signer, isLogged }: Signed): AttestationVerdict {
  const content = contentOf(read);
  const failed = 'kind' in content ? content.kind : undefined;
  const all = [...checks, ...STATEMENT_CHECKS.map(([name, detail]) => checked(name, name !== failed, detail))];
  if ('kind' in content) return refused(all);
  const { logged, ...rest } = content;
  return { valid: true, ...rest, ...signer, ...(isLogged && { logged }), checks: all };
}

/** An attestation names the request as the controller wrote it. */
function ofRequest(verdict: AttestationVerdict, requestId: string | undefined): AttestationVerdict {
  if (!verdict.valid || requestId === undefined) return verdict;
  const passed = verdict.attestation.requestId.toLowerCase() === requestId.toLowerCase();
  const checks = [...verdict.checks, checked('request', passed, 'it is about the request that is meant')];
  return passed ? { ...verdict, checks } : refused(checks);
}

const STATEMENT_CHECKS: readonly (readonly [AttestationCheckName, string])[] = [
  ['statement-type', 'a statement of in-toto, version 1'],
  ['predicate-type', 'an attestation of a request, version 1'],
  ['schema', 'the attestation has the fields of its schema'],
];

interface Trust {
  readonly domains: readonly string[];
  readonly trusted: ReturnType<ReturnType<typeof trustedAuthorities>>;
  readonly log: LogTrust | undefined;
  readonly now: () => Date;
}

function trustOf({ allowedDomains, trust, logKey, witnessKeys = [], now }: AttestationOptions): Trust {
  if (allowedDomains.length === 0) throw new TypeError('allowedDomains names no domain');
  if (logKey === undefined && witnessKeys.length > 0) throw new TypeError('witnessKeys need a logKey');
  return {
    domains: allowedDomains,
    trusted: trustedAuthorities(trust)(),
    log:
      logKey === undefined
        ? undefined
        : { log: read(logKey, noteVerifier), witnesses: witnessKeys.map((key) => read(key, witnessVerifier)) },
    now: now ?? (() => new Date()),
  };
}

function read(verifierKey: string, as: (text: string) => NoteVerifier): NoteVerifier {
  try {
    return as(verifierKey);
  } catch (error) {
    throw error instanceof NoteKeyError ? new TypeError(`a verifier key cannot be read: ${error.message}`) : error;
  }
}

function refused(checks: readonly AttestationCheck[]): InvalidVerdict<AttestationCheckName> {
  const upTo = upToFirstFailure(checks);
  return { valid: false, failed: upTo.at(-1)?.check ?? 'format', checks: upTo };
}

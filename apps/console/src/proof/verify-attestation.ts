import {
  isStatementFault,
  readAttestation,
  STATEMENT_MEDIA_TYPE,
  type AttestationStatement,
  type StatementFault,
} from '@opendsr-service/contracts';
import { readBundle, type Bundle } from './bundle';
import { parsedJson, sha256, toBase64Url } from './bytes';
import { readCertificates } from './certificate';
import { openCheckpoint } from './checkpoint';
import type { AttestationCheck, Check } from './checks';
import { preAuthEncoding, readEnvelope, type Envelope } from './envelope';
import { isIncluded } from './inclusion';
import { isSignedBy, readKey, type NoteKey } from './note';
import { signatureChecks, type SignerTrust } from './signature-checks';

/** Whom the viewer believes. */
export interface AttestationTrust {
  readonly allowedDomains: readonly string[];
  /** PEM of the trusted authorities. */
  readonly authorities: string;
  /** The verifier key of the log. Absent: the log is not checked, and the certificate must be valid now. */
  readonly logKey?: string | undefined;
  readonly witnessKeys?: readonly string[] | undefined;
  readonly now: Date;
}

export interface AttestationVerdict {
  readonly isValid: boolean;
  readonly checks: readonly Check<AttestationCheck>[];
  /** What the file says, if it is valid. */
  readonly statement?: AttestationStatement;
  /** When the log took it. */
  readonly loggedAt?: string;
}

type Checks = readonly Check<AttestationCheck>[];

/**
 * Verifies an attestation, an envelope or a bundle, with nothing but the platform's cryptography: as `verifyAttestation` of libs/client,
 * proved by the same vectors.
 */
export async function verifyAttestation(file: Uint8Array, trust: AttestationTrust): Promise<AttestationVerdict> {
  const parsed = parsedJson(file);
  const bundle = readBundle(parsed);
  const bytes = bundle?.envelope ?? file;
  const envelope = readEnvelope(bundle ? parsedJson(bytes) : parsed);
  if (!envelope) return verdict([{ check: 'format', passed: false }]);
  const first: Checks = [
    { check: 'format', passed: true, of: bundle ? 'bundle' : 'envelope' },
    { check: 'payload-type', passed: envelope.payloadType === STATEMENT_MEDIA_TYPE },
  ];
  const log = await logFindings(bundle, toBase64Url(await sha256(bytes)), trust);
  if (![...first, ...log.checks].every(({ passed }) => passed)) return verdict([...first, ...log.checks]);
  const at = log.at === undefined ? trust.now : new Date(log.at);
  const signer = await bestSigner(envelope, { ...trust, at });
  if (!signer.every(({ passed }) => passed)) return verdict([...first, ...log.checks, ...signer]);
  const statement = readAttestation(envelope.payload);
  const all = [...first, ...log.checks, ...signer, ...statementChecks(statement)];
  return {
    ...verdict(all),
    ...(!isStatementFault(statement) && { statement }),
    ...(log.at !== undefined && { loggedAt: log.at }),
  };
}

/** Up to the first that fails. */
function verdict(checks: Checks): AttestationVerdict {
  const failed = checks.findIndex(({ passed }) => !passed);
  return { isValid: failed === -1, checks: failed === -1 ? checks : checks.slice(0, failed + 1) };
}

const statementChecks = (statement: AttestationStatement | StatementFault): Checks =>
  (['statement-type', 'predicate-type', 'schema'] as const).map((check) => ({
    check,
    passed: !isStatementFault(statement) || statement.kind !== check,
  }));

/** The checks of the first signature that passes them, else those of the first one: DSSE allows signatures of others beside it. */
async function bestSigner(
  envelope: Envelope,
  { allowedDomains, authorities, at }: AttestationTrust & { readonly at: Date },
): Promise<Checks> {
  const trusted: SignerTrust['trusted'] = readCertificates(authorities);
  const bytes = preAuthEncoding(envelope);
  let first: Checks | undefined;
  for (const signature of envelope.signatures)
    for (const domain of allowedDomains) {
      const checks = await signatureChecks({ bytes, ...signature }, { domain, trusted, at });
      if (checks.every(({ passed }) => passed)) return checks;
      first ??= checks;
    }
  return first ?? [{ check: 'certificate', passed: false }];
}

interface LogFindings {
  readonly checks: Checks;
  readonly at?: string | undefined;
}

async function logFindings(
  bundle: Bundle | undefined,
  digest: string,
  { logKey, witnessKeys = [] }: AttestationTrust,
): Promise<LogFindings> {
  if (logKey === undefined) return { checks: [] };
  const [log, ...witnesses] = await Promise.all([logKey, ...witnessKeys].map(readKey));
  const checkpoint = bundle && log && (await openCheckpoint(bundle.checkpoint, log));
  if (!bundle || !checkpoint) return { checks: [{ check: 'checkpoint', passed: false }] };
  const cosigned = await Promise.all(witnesses.map((key?: NoteKey) => key && isSignedBy(checkpoint.note, key)));
  const { kind, digest: logged, at } = (parsedJson(bundle.entry) ?? {}) as Record<string, unknown>;
  const isOfThis = kind === 'attestation' && logged === digest && typeof at === 'string' && !Number.isNaN(Date.parse(at));
  return {
    checks: [
      { check: 'checkpoint', passed: true, of: `${checkpoint.origin}, ${checkpoint.size}` },
      { check: 'witnesses', passed: cosigned.every((isOne) => isOne === true), of: String(witnesses.length) },
      { check: 'inclusion', passed: await isIncluded(bundle.entry, bundle.index, bundle.inclusion, checkpoint) },
      { check: 'entry', passed: isOfThis },
    ],
    at: isOfThis ? at : undefined,
  };
}

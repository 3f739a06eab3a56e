import {
  isStatementFault,
  readAttestation,
  readBundle,
  STATEMENT_MEDIA_TYPE,
  type AttestationStatement,
  type BundleParts,
  type StatementFault,
} from '@opendsr-service/contracts';
import { fromBase64, parsedJson, sha256, toBase64Url } from './bytes';
import { readCertificates } from './certificate';
import { openCheckpoint } from './checkpoint';
import { verdictOf, type AttestationCheck, type Check, type Verdict } from './checks';
import { preAuthEncoding, readEnvelope, type Envelope } from './envelope';
import { isIncluded } from './inclusion';
import { isSignedBy, readKey, type Note } from './note';
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

export interface AttestationVerdict extends Verdict<AttestationCheck> {
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
  const bundle = readBundle(parsed, fromBase64);
  const bytes = bundle?.envelope ?? file;
  const envelope = readEnvelope(bundle ? parsedJson(bytes) : parsed);
  if (!envelope) return verdictOf<AttestationCheck>([{ check: 'format', passed: false }]);
  const log = await logFindings(bundle, bytes, trust);
  const first: Checks = [
    { check: 'format', passed: true, of: bundle ? 'bundle' : 'envelope' },
    { check: 'payload-type', passed: envelope.payloadType === STATEMENT_MEDIA_TYPE },
    ...log.checks,
  ];
  if (!haveAllPassed(first)) return verdictOf(first);
  const at = log.at === undefined ? trust.now : new Date(log.at);
  const signed = [...first, ...(await bestSigner(envelope, { ...trust, at }))];
  return haveAllPassed(signed)
    ? { ...withStatement(signed, envelope), ...(log.at !== undefined && { loggedAt: log.at }) }
    : verdictOf(signed);
}

const haveAllPassed = (checks: Checks): boolean => checks.every(({ passed }) => passed);

function withStatement(signed: Checks, { payload }: Envelope): AttestationVerdict {
  const statement = readAttestation(payload);
  const all = verdictOf([...signed, ...statementChecks(statement)]);
  return isStatementFault(statement) ? all : { ...all, statement };
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
  bundle: BundleParts | undefined,
  envelope: Uint8Array,
  { logKey, witnessKeys = [] }: AttestationTrust,
): Promise<LogFindings> {
  if (logKey === undefined) return { checks: [] };
  const log = await readKey(logKey);
  const checkpoint = bundle && log && (await openCheckpoint(bundle.checkpoint, log));
  if (!checkpoint) return { checks: [{ check: 'checkpoint', passed: false }] };
  const at = await timeOf(bundle, envelope);
  return {
    checks: [
      { check: 'checkpoint', passed: true, of: `${checkpoint.origin}, ${checkpoint.size}` },
      ...(await witnessChecks(witnessKeys, checkpoint.note)),
      { check: 'inclusion', passed: await isIncluded(bundle.entry, bundle.index, bundle.inclusion, checkpoint) },
      { check: 'entry', passed: at !== undefined },
    ],
    at,
  };
}

/** None where no witness is named: that nobody has cosigned is no check that passed. */
async function witnessChecks(keys: readonly string[], note: Note): Promise<Checks> {
  if (keys.length === 0) return [];
  const witnesses = await Promise.all(keys.map(readKey));
  const verdicts = await Promise.all(witnesses.map(async (key) => key !== undefined && isSignedBy(note, key)));
  return [{ check: 'witnesses', passed: verdicts.every(Boolean), of: String(keys.length) }];
}

/** When the log took this envelope; undefined where the entry is of something else. */
async function timeOf({ entry }: BundleParts, envelope: Uint8Array): Promise<string | undefined> {
  const { kind, digest, at } = (parsedJson(entry) ?? {}) as Record<string, unknown>;
  const isOfThis = kind === 'attestation' && digest === toBase64Url(await sha256(envelope));
  return isOfThis && typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : undefined;
}

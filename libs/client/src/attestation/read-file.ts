import { createHash, X509Certificate } from 'node:crypto';
import {
  isStatementFault,
  readAttestation,
  readBundle,
  type BundleParts,
  type StatementFault,
} from '@opendsr-service/contracts';
import { readEnvelope, type Envelope } from '@opendsr-service/signing';
import type { AttestationContent } from './types';

/** An entry of the log, as far as it is read. */
interface Entry {
  readonly kind: string;
  readonly digest: string;
  readonly at: string;
}

/** An envelope or a bundle, of which nothing is verified. */
export interface AttestationFile {
  readonly envelope: Envelope;
  /** SHA-256 of the envelope's bytes, base64url. */
  readonly digest: string;
  /** Undefined: the envelope came alone. */
  readonly bundle: BundleParts | undefined;
}

/** Undefined where it is neither an envelope nor a bundle. */
export function readAttestationFile(file: Uint8Array): AttestationFile | undefined {
  const parsed = parsedJson(file);
  const bundle = readBundle(parsed);
  const bytes = bundle?.envelope ?? file;
  const envelope = readEnvelope(bundle ? parsedJson(bytes) : parsed);
  return envelope && { envelope, bundle, digest: createHash('sha256').update(bytes).digest('base64url') };
}

/** The entry of a bundle; undefined where it is not written as one. */
export function readEntry({ entry }: BundleParts): Entry | undefined {
  const { kind, digest, at } = (parsedJson(entry) ?? {}) as Record<string, unknown>;
  const isEntry = typeof kind === 'string' && typeof digest === 'string' && typeof at === 'string';
  return isEntry && !Number.isNaN(Date.parse(at)) ? { kind, digest, at } : undefined;
}

/** What the file says, or why it is no attestation. */
export function contentOf({ envelope, digest, bundle }: AttestationFile): AttestationContent | StatementFault {
  const statement = readAttestation(envelope.payload);
  if (isStatementFault(statement)) return statement;
  const entry = bundle && readEntry(bundle);
  return {
    ...{ ...statement, digest, signedBy: firstSubject(envelope) },
    ...(bundle && entry && { logged: { index: bundle.index, at: entry.at } }),
  };
}

/** The subject of a certificate on one line. */
export const subjectOf = ({ subject }: X509Certificate): string => subject.replaceAll('\n', ', ');

/** Empty where the first signature has no readable certificate. */
function firstSubject({ signatures: [first] }: Envelope): string {
  try {
    return first?.certificatePem === undefined ? '' : subjectOf(new X509Certificate(first.certificatePem));
  } catch {
    return '';
  }
}

function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

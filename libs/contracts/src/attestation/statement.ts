import { ATTESTATION_SCHEMA, ATTESTATION_TYPE, type Attestation } from './predicate';
import { fault, inOrder } from './against-schema';

/** The type of what an attestation's envelope holds (in-toto). */
export const STATEMENT_MEDIA_TYPE = 'application/vnd.in-toto+json';
/** The version of in-toto's statement. */
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/** What an attestation is about: SHA-256 in base64url. */
export interface AttestationSubjects {
  /** Of the bytes of the receipt (the answer 201) and of their signature; absent where none was kept. */
  readonly receipt?: string | undefined;
  /** Of the bytes of the request's last event, which holds the digest of the event before it, and so on. */
  readonly events: string;
}

/** The bytes to be signed: one attestation gives always the same. Fields that the schema does not name are left out. */
export function attestationPayload(attestation: Attestation, { receipt, events }: AttestationSubjects): Buffer {
  const subject = [...(receipt === undefined ? [] : [named('receipt', receipt)]), named('events', events)];
  const predicate = inOrder(ATTESTATION_SCHEMA, attestation);
  return Buffer.from(JSON.stringify({ _type: STATEMENT_TYPE, subject, predicateType: ATTESTATION_TYPE, predicate }));
}

const named = (name: keyof AttestationSubjects, digest: string) => ({
  name,
  digest: { sha256: Buffer.from(digest, 'base64url').toString('hex') },
});

/** Why bytes are no attestation. `at`: a place of the predicate, never content. */
export interface StatementFault {
  readonly kind: 'statement-type' | 'predicate-type' | 'schema';
  readonly at: string;
}

export interface AttestationStatement {
  readonly attestation: Attestation;
  readonly subjects: AttestationSubjects;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

interface Statement {
  readonly _type?: unknown;
  readonly predicateType?: unknown;
  readonly predicate?: unknown;
  readonly subject?: unknown;
}

/** Reads what was signed, and verifies no signature. */
export function readAttestation(payload: Uint8Array): AttestationStatement | StatementFault {
  const statement = parsed(payload);
  if (statement?._type !== STATEMENT_TYPE) return { kind: 'statement-type', at: '/_type' };
  if (statement.predicateType !== ATTESTATION_TYPE) return { kind: 'predicate-type', at: '/predicateType' };
  const found = fault(ATTESTATION_SCHEMA, statement.predicate);
  if (found !== undefined) return { kind: 'schema', at: `/predicate${found}` };
  const [receipt, events] = [digestOf(statement.subject, 'receipt'), digestOf(statement.subject, 'events')];
  if (events === undefined) return { kind: 'schema', at: '/subject' };
  const subjects = { events, ...(receipt !== undefined && { receipt }) };
  return { attestation: statement.predicate as Attestation, subjects };
}

export const isStatementFault = (read: AttestationStatement | StatementFault): read is StatementFault => 'kind' in read;

function parsed(payload: Uint8Array): Statement | undefined {
  try {
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(subject: unknown, name: keyof AttestationSubjects): string | undefined {
  const entries: readonly unknown[] = Array.isArray(subject) ? subject : [];
  const hex = entries
    .map((entry) => entry as { name?: unknown; digest?: { sha256?: unknown } } | null)
    .find((entry) => entry?.name === name)?.digest?.sha256;
  return typeof hex === 'string' && SHA256_HEX.test(hex) ? base64UrlOf(hex) : undefined;
}

/** Without Buffer, which browsers have not: the console reads attestations too. */
function base64UrlOf(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

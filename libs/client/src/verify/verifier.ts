import { verifySignature } from '@opendsr-service/signing';
import { upToFirstFailure } from './certificate-checks';
import { Certificates, type Published } from './certificates.client';
import { keepFindings, type Findings } from './findings';
import type { Reading } from './cached-reading';
import { readBody } from './read-body';
import { readHeaders, type SignedHeaders } from './read-headers';
import { Revocations } from './revocation.client';
import { settingsOf, type Settings } from './settings';
import type { Check, CheckName, HeaderSource, InvalidVerdict, SignedVerdict, Verdict, VerifyOptions } from './types';

/** Verifies messages under one set of options, and caches downloads. */
export interface Verifier {
  /** Runs every check. Never rejects for what a sender sent. */
  verify(rawBody: Uint8Array, headers: HeaderSource): Promise<Verdict>;
  /** Runs the checks from `headers` to `signature`. */
  verifySigned(rawBody: Uint8Array, headers: HeaderSource): Promise<SignedVerdict>;
}

/** Throws a TypeError on invalid options. */
export function createVerifier(options: VerifyOptions): Verifier {
  const settings = settingsOf(options);
  const authenticate = authenticator(settings);

  const signed = async (
    rawBody: Uint8Array,
    headers: HeaderSource,
  ): Promise<SignedVerdict & { readonly deliveryId?: string | undefined }> => {
    const read = readHeaders(headers);
    if (typeof read === 'string') return refused([failed('headers', read)]);
    const heads = [passed('headers', `those of version ${read.version.apiVersion}`)];
    if (!settings.baseUrls.has(read.domain))
      return refused([...heads, failed('domain', 'the processor domain is not in the allow list')]);
    const checks = [...heads, passed('domain', read.domain), ...(await authenticate(rawBody, read))];
    if (checks.some((check) => !check.passed)) return refused(checks);
    return { valid: true, version: read.version.apiVersion, domain: read.domain, deliveryId: read.deliveryId, checks };
  };

  return {
    verify: async (rawBody, headers) => {
      const verdict = await signed(rawBody, headers);
      if (!verdict.valid) return verdict;
      const callback = readBody(rawBody, verdict.version);
      if (typeof callback === 'string') return refused([...verdict.checks, failed('body', callback)]);
      const checks = [...verdict.checks, passed('body', 'a callback')];
      if (!isMine(settings, callback.status_callback_url))
        return refused([...checks, failed('url', 'the callback is meant for another address')]);
      return {
        ...verdict,
        deliveryId: verdict.deliveryId,
        callback,
        checks: [...checks, passed('url', 'the callback is meant for this receiver')],
      };
    },
    verifySigned: async (rawBody, headers) => {
      const verdict = await signed(rawBody, headers);
      return verdict.valid
        ? { valid: true, version: verdict.version, domain: verdict.domain, checks: verdict.checks }
        : verdict;
    },
  };
}

/** After a failure, reads the certificate once more, as the processor may have a new one. */
function authenticator(settings: Settings): (rawBody: Uint8Array, signed: SignedHeaders) => Promise<Check[]> {
  const certificates = new Certificates(settings);
  const revocations = new Revocations(settings.network);
  const findingsOf = keepFindings(settings.trusted);

  const checksOf = async (
    { value, fault }: Reading<Published>,
    rawBody: Uint8Array,
    { domain, signature }: SignedHeaders,
  ): Promise<Check[]> => {
    if (!value) return [failed('certificate', fault ?? 'there is none')];
    const now = settings.now();
    const { checks, path, key } = findingsOf(value, domain, now);
    if (!key) return [...checks];
    const revocation = await revocationCheck(settings, revocations, { path, now });
    const isSigned = revocation.passed && verifySignature(rawBody, signature, key);
    return upToFirstFailure([
      ...checks,
      revocation,
      isSigned
        ? passed('signature', 'RSA with SHA-256 over these bytes')
        : failed('signature', 'the signature is not that of these bytes'),
    ]);
  };

  return async (rawBody, signed) => {
    const startedAt = settings.now();
    const source = certificates.sourceFor(signed.domain, signed.version);
    const reading = await source.current(startedAt);
    const checks = await checksOf(reading, rawBody, signed);
    const isJustUnreachable = !reading.value && reading.readAt >= startedAt;
    if (checks.every((check) => check.passed) || isJustUnreachable) return checks;
    const newer = await source.newerThan(reading, settings.now());
    return newer.value === reading.value ? checks : checksOf(newer, rawBody, signed);
  };
}

async function revocationCheck(
  { revocation }: Settings,
  revocations: Revocations,
  { path, now }: { path: Findings['path']; now: Date },
): Promise<Check> {
  if (revocation === 'off') return passed('revocation', 'not checked, as the options say');
  const found = await revocations.check(path, now);
  switch (found.state) {
    case 'revoked':
      return failed('revocation', 'a certificate on the path was revoked');
    case 'unknown':
      return revocation === 'if-reachable'
        ? passed('revocation', `not checked: ${found.detail}`)
        : failed('revocation', found.detail);
    case 'none revoked':
      if (revocation === 'require' && found.unlistedCount > 0)
        return failed('revocation', 'a certificate names no revocation list');
      return passed(
        'revocation',
        found.listCount === 0
          ? 'the certificates name no revocation list'
          : `not revoked by ${String(found.listCount)} lists`,
      );
  }
}

function isMine(settings: Settings, url: string): boolean {
  try {
    return settings.isMine(url);
  } catch {
    // A predicate that throws has not accepted the URL.
    return false;
  }
}

const passed = (check: CheckName, detail: string): Check => ({ check, passed: true, detail });
const failed = (check: CheckName, detail: string): Check => ({ check, passed: false, detail });

function refused(checks: Check[]): InvalidVerdict {
  return { valid: false, failed: checks.at(-1)?.check ?? 'headers', checks };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNER_CHECKS } from './checks';
import { verifyCallback } from './verify-callback';

/** A published case (libs/client/vectors/README.md). */
interface Vector {
  readonly name: string;
  readonly body_base64: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate_pem: string;
  readonly trust_pem: string;
  readonly crls?: object;
  readonly now: string;
  readonly allowed_domains: readonly string[];
  readonly callback_urls: readonly string[];
  readonly expected: { readonly valid: boolean; readonly failed?: string };
}

const folder = join(__dirname, '../../../../libs/client/vectors');
const isSigners = (failed: string): boolean => SIGNER_CHECKS.some((check) => check === failed);
/** Version 2, without lists of revoked certificates: what the console verifies of a sandbox. */
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector)
  .filter(({ headers, crls }) => !crls && typeof headers['X-OpenDSR-Signature'] === 'string')
  .filter(({ expected: { valid, failed } }) => valid || (failed !== undefined && isSigners(failed)));

/** The address that the callback was meant for, if the controller has it. */
const urlOf = ({ body_base64: body, callback_urls: urls }: Vector): string =>
  urls.find((url) => Buffer.from(body, 'base64').includes(url)) ?? '';

const verdictOf = (vector: Vector) =>
  verifyCallback(
    {
      headers: Object.fromEntries(
        Object.entries(vector.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
      body: new Uint8Array(Buffer.from(vector.body_base64, 'base64')),
    },
    {
      ...{ domains: vector.allowed_domains, authorities: vector.trust_pem, certificatePem: vector.certificate_pem },
      ...{ callbackUrl: urlOf(vector), now: new Date(vector.now) },
    },
  );

it('has vectors of each check of a signer', () => {
  expect(new Set(vectors.map(({ expected }) => expected.failed ?? 'none'))).toEqual(
    new Set(['none', ...SIGNER_CHECKS]),
  );
});

it.each(vectors.map((vector) => [vector.name, vector] as const))('judges %s as the client does', async (_, vector) => {
  const { isValid, checks } = await verdictOf(vector);
  const failed = checks.find(({ passed }) => !passed)?.check;
  expect({ valid: isValid, ...(failed !== undefined && { failed }) }).toEqual(vector.expected);
});

describe('a good callback', () => {
  const good = vectors.find(({ expected }) => expected.valid) as Vector;

  it('is refused for another address, of another domain, and without a signature', async () => {
    const failedOf = async (changed: Partial<Vector>) =>
      (await verdictOf({ ...good, ...changed })).checks.find(({ passed }) => !passed)?.check;
    expect(await failedOf({ callback_urls: ['https://other.example/'] })).toBe('url');
    expect(await failedOf({ allowed_domains: ['other.example'] })).toBe('domain');
    expect(await failedOf({ headers: {} })).toBe('headers');
  });
});

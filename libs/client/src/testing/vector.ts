import { createVerifier } from '../verify/verifier';
import type { CheckName, HeaderSource, Verdict } from '../verify/types';

/** A published case with its expected verdict (vectors/README.md). */
export interface Vector {
  readonly name: string;
  readonly description: string;
  readonly body_base64: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate_pem: string;
  readonly trust_pem: string;
  /** Base64 of DER or PEM by address. Absent: revocation is not checked. */
  readonly crls?: Readonly<Record<string, string>>;
  /** `require`: a certificate without a list is refused. Absent: it passes. */
  readonly revocation?: 'require';
  readonly now: string;
  readonly allowed_domains: readonly string[];
  readonly callback_urls: readonly string[];
  readonly expected: { readonly valid: boolean; readonly failed?: CheckName };
}

/** The verdict of the verifier, which fetches only the lists of the vector. */
export function verdictOf(vector: Vector): Promise<Verdict> {
  const lists = vector.crls;
  const verifier = createVerifier({
    allowedDomains: vector.allowed_domains,
    callbackUrls: vector.callback_urls,
    trust: vector.trust_pem,
    certificatePem: vector.certificate_pem,
    revocation: lists ? (vector.revocation ?? 'if-named') : 'off',
    now: () => new Date(vector.now),
    fetch: (url) => {
      const list = lists?.[urlOf(url)];
      return Promise.resolve(
        list === undefined ? new Response(null, { status: 404 }) : new Response(Buffer.from(list, 'base64')),
      );
    },
  });
  return verifier.verify(Buffer.from(vector.body_base64, 'base64'), vector.headers satisfies HeaderSource);
}

export const urlOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));

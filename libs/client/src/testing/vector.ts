import { createVerifier } from '../verify/verifier';
import type { CheckName, HeaderSource, Verdict } from '../verify/types';

/** A published case of a callback and what a receiver must say of it (vectors/README.md). */
export interface Vector {
  readonly name: string;
  readonly description: string;
  readonly body_base64: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate_pem: string;
  readonly trust_pem: string;
  /** Base64 of DER or PEM, by the address that a certificate names. Left out: revocation is not looked at. */
  readonly crls?: Readonly<Record<string, string>>;
  /** `require`: a certificate that names no list is refused. Left out: it passes. */
  readonly revocation?: 'require';
  readonly now: string;
  readonly allowed_domains: readonly string[];
  readonly callback_urls: readonly string[];
  readonly expected: { readonly valid: boolean; readonly failed?: CheckName };
}

/** What the verifier says of a vector. Nothing is fetched but the lists that stand in it. */
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

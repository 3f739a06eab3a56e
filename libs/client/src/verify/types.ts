import type { SentCallbackBody, ParticipantExtension } from '../words';

export const REVOCATION_MODES = ['require', 'if-named', 'if-reachable', 'off'] as const;
export type RevocationMode = (typeof REVOCATION_MODES)[number];

/** What a controller settles beforehand about the processors that it believes. */
export interface VerifyOptions {
  /** The allow list for the domain header: names, whose discovery is at `https://<domain>`, or each name with its base URL. `http:` only on loopback. */
  readonly allowedDomains: readonly string[] | Readonly<Record<string, string>>;
  /** The addresses of this receiver, exactly as they were given in `status_callback_urls`. */
  readonly callbackUrls: readonly string[] | ((url: string) => boolean);
  /** PEM of the authorities that certificates must lead to; those that Node trusts where it is left out. */
  readonly trust?: string;
  /**
   * What is asked of revocation lists. `require`: each certificate names one, and it must be had. `if-named`, as by default: those that are named must be
   * had, and a certificate that names none passes. `if-reachable`: they are asked where they answer. `off`: they are left alone.
   */
  readonly revocation?: RevocationMode;
  /** A saved certificate file, leaf first, in place of what discovery names. */
  readonly certificatePem?: string;
  readonly now?: () => Date;
  readonly fetch?: typeof fetch;
  /** For each thing that is fetched, from the first byte sent to the last one read. 5,000 where it is left out. */
  readonly timeoutMs?: number;
}

/** Headers as Node, Fastify and Express hold them, or the `Headers` of fetch. */
export type HeaderSource =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

/** The checks in the order in which they are made. */
export const CHECK_NAMES = [
  'headers',
  'domain',
  'certificate',
  'chain',
  'names',
  'dates',
  'usage',
  'revocation',
  'signature',
  'body',
  'url',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `detail` holds no secret, nothing of the body and nothing that a stranger wrote. */
export interface Check {
  readonly check: CheckName;
  readonly passed: boolean;
  readonly detail: string;
}

/** The fields of a verified callback. `api_version` is that of the headers where the body lacks it; `extensions` of other processors may be an object. */
export type CallbackBody = Omit<SentCallbackBody, 'extensions'> & {
  readonly extensions: readonly ParticipantExtension[] | Readonly<Record<string, unknown>> | null;
};

/** Something that this processor signed. */
export interface ValidSignature {
  readonly valid: true;
  readonly version: CallbackBody['api_version'];
  readonly domain: string;
  readonly checks: readonly Check[];
}

/** A callback that this processor signed for this receiver. */
export interface ValidVerdict extends ValidSignature {
  /**
   * What the sender calls this delivery, the same on every try, for logs and support. It comes from a header that nobody signed: whoever holds
   * one captured callback can send it again under a fresh id, or under the id of another one. So decide what is a repeat by
   * `subject_request_id` and `request_status` of the callback, never by this.
   */
  readonly deliveryId: string | undefined;
  readonly callback: CallbackBody;
}

export interface InvalidVerdict {
  readonly valid: false;
  readonly failed: CheckName;
  /** Up to and with the one that failed. */
  readonly checks: readonly Check[];
}

/** Of a callback or a signed answer, checked up to its signature. */
export type SignedVerdict = ValidSignature | InvalidVerdict;
export type Verdict = ValidVerdict | InvalidVerdict;

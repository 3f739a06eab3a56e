import type { SentCallbackBody, ParticipantExtension } from '../words';

export const REVOCATION_MODES = ['require', 'if-named', 'if-reachable', 'off'] as const;
export type RevocationMode = (typeof REVOCATION_MODES)[number];

/** Which processors and callbacks a controller trusts. */
export interface VerifyOptions {
  /**
   * Allowed values of the domain header: names, with discovery at `https://<domain>`, or a base URL for each name.
   * `http:` only on loopback.
   */
  readonly allowedDomains: readonly string[] | Readonly<Record<string, string>>;
  /** The URLs of this receiver, exactly as given in `status_callback_urls`. */
  readonly callbackUrls: readonly string[] | ((url: string) => boolean);
  /** PEM of the trusted authorities. Default: those of Node. */
  readonly trust?: string;
  /**
   * How to use revocation lists. `require`: each certificate must name an available list. `if-named` (default): named
   * lists must be available. `if-reachable`: unavailable lists are ignored. `off`: lists are not used.
   */
  readonly revocation?: RevocationMode;
  /** A stored certificate file, leaf first, in place of discovery. */
  readonly certificatePem?: string;
  readonly now?: () => Date;
  readonly fetch?: typeof fetch;
  /** For each download, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
}

/** Headers of Node, Fastify, Express or fetch. */
export type HeaderSource =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

/** In the order in which they run. */
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

/** `detail` holds no secret, nothing of the body and no text of the sender. */
export interface Check {
  readonly check: CheckName;
  readonly passed: boolean;
  readonly detail: string;
}

/** `api_version` comes from the headers where the body lacks it; `extensions` may be an object. */
export type CallbackBody = Omit<SentCallbackBody, 'extensions'> & {
  readonly extensions: readonly ParticipantExtension[] | Readonly<Record<string, unknown>> | null;
};

/** A message that this processor signed. */
export interface ValidSignature {
  readonly valid: true;
  readonly version: CallbackBody['api_version'];
  readonly domain: string;
  readonly checks: readonly Check[];
}

/** A callback that this processor signed for this receiver. */
export interface ValidVerdict extends ValidSignature {
  /**
   * The delivery id of the sender, the same on every attempt, for logs and support. The header is not signed, so an
   * attacker can replay a callback under any id: detect repeats by `subject_request_id` and `request_status`.
   */
  readonly deliveryId: string | undefined;
  readonly callback: CallbackBody;
}

export interface InvalidVerdict {
  readonly valid: false;
  readonly failed: CheckName;
  /** Up to the failed check. */
  readonly checks: readonly Check[];
}

/** Checked up to the signature. */
export type SignedVerdict = ValidSignature | InvalidVerdict;
export type Verdict = ValidVerdict | InvalidVerdict;

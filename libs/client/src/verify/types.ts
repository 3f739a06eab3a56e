import type { SentCallbackBody, ParticipantExtension } from '../words';

export const REVOCATION_MODES = ['require', 'if-named', 'if-reachable', 'off'] as const;
export type RevocationMode = (typeof REVOCATION_MODES)[number];

/** Which processors and callbacks a controller trusts. */
export interface VerifyOptions {
  /** Names, with discovery at `https://<name>`, or a base URL for each name; `http:` only on loopback. */
  readonly allowedDomains: readonly string[] | Readonly<Record<string, string>>;
  /** The URLs of this receiver, exactly as in `status_callback_urls`. */
  readonly callbackUrls: readonly string[] | ((url: string) => boolean);
  /** PEM. Default: the authorities of Node. */
  readonly trust?: string;
  /**
   * `require`: each certificate names an available list. `if-named` (default): named lists are available.
   * `if-reachable`: unavailable lists are ignored. `off`: no lists.
   */
  readonly revocation?: RevocationMode;
  /** A stored certificate file, leaf first, in place of discovery. */
  readonly certificatePem?: string;
  readonly now?: () => Date;
  readonly fetch?: typeof fetch;
  /** For each download. Default 5,000. */
  readonly timeoutMs?: number;
}

/** Headers of Node, Fastify, Express or fetch. */
export type HeaderSource =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

/** In the order of execution. */
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

/** `detail` holds neither secrets nor values of the sender. */
export interface Check<Name extends string = CheckName> {
  readonly check: Name;
  readonly passed: boolean;
  readonly detail: string;
}

/** `api_version` is that of the headers if the body lacks it; `extensions` may be an object. */
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
   * Not signed: an attacker can change it, so detect repeats by `domain` with `controller_id`, `subject_request_id` and
   * `request_status` of the callback.
   */
  readonly deliveryId: string | undefined;
  readonly callback: CallbackBody;
}

export interface InvalidVerdict<Name extends string = CheckName> {
  readonly valid: false;
  readonly failed: Name;
  readonly checks: readonly Check<Name>[];
}

export type SignedVerdict = ValidSignature | InvalidVerdict;
export type Verdict = ValidVerdict | InvalidVerdict;

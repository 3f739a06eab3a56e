import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import { fetchTrusting } from './fetch-trusting';
import type { Operator } from './operator';
import { grantsOf, roleMapping } from './role-mapping';
import type { SignInChecks } from './sign-ins.store';

/** The identity provider, and this service as it is registered there. */
interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, with PKCE alone. */
  readonly clientSecret?: string;
  /** Whom bearer tokens are for. */
  readonly audience: string;
  /** What sign-ins ask for beside `openid`. */
  readonly scopes?: readonly string[];
  /** The claim with the values that `roles` maps. */
  readonly roleClaim: string;
  /** `VALUE=ROLE` or `VALUE=ROLE@WORKSPACE`. */
  readonly roles: readonly string[];
  /** Where browsers come back to. */
  readonly redirectUrl: string;
  /** Authorities that its certificate may come from, beside those of Node; PEM. */
  readonly authorities?: readonly string[];
  /** The shortest time between two readings of the provider's keys, in milliseconds. */
  readonly keysAgainMs?: number;
}

/** The identity provider does not answer, or not as OpenID Connect says. */
export class IdentityProviderAway extends Error {
  override readonly name = 'IdentityProviderAway';
}

/** A token or a sign-in that proves nothing. The message never repeats any of it. */
export class NotProved extends Error {
  override readonly name = 'NotProved';
}

/** What the provider was asked for in vain, and why. */
export interface ProviderFailure {
  readonly for: 'discovery' | 'keys' | 'sign-in';
  /** What the provider answered, a word of OAuth: `invalid_client`. */
  readonly reason: string | undefined;
  readonly error: unknown;
}

/** Asymmetric ones only: a public key must never pass for a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
];
const WAIT_MS = 5_000;
const KEYS_AGAIN_MS = 30_000;
const KEYS_KEPT_MS = 600_000;
const CLOCK_TOLERANCE_SECONDS = 5;

interface Discovered {
  /** As the provider writes it: some end it with a slash. */
  readonly issuer: string;
  readonly configuration: oidc.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/** OpenID Connect: bearer tokens of machines, and sign-ins of browsers by authorization code with PKCE. */
export class IdentityProvider {
  private readonly mapping: ReturnType<typeof roleMapping>;
  private discovering: Promise<Discovered> | undefined;

  /** `now` returns milliseconds since 1970; it judges bearer tokens. `failed` hears of the provider's failures, and of refused sign-ins. */
  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly now: () => number,
    private readonly failed: (failure: ProviderFailure) => void,
  ) {
    this.mapping = roleMapping(settings.roles);
  }

  /** Who sends a token, and until when it counts. Throws NotProved or IdentityProviderAway. */
  async ofBearer(token: string): Promise<Operator & { readonly endsAt: Date }> {
    const { keys, issuer } = await this.discovered();
    const checks = {
      issuer,
      audience: this.settings.audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.now()),
    };
    const { payload } = await jwtVerify(token, keys, checks).catch((error: unknown) => {
      throw isVerdict(error) ? new NotProved('the token proves nothing') : this.away('keys', error);
    });
    return { ...this.operatorOf(payload), endsAt: new Date((payload.exp ?? 0) * 1_000) };
  }

  /** Where the browser goes to, and what its way back must fit. Throws IdentityProviderAway. */
  async beginSignIn(): Promise<{ readonly url: string; readonly checks: SignInChecks }> {
    const { configuration } = await this.discovered();
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.redirectUrl,
      scope: ['openid', ...(this.settings.scopes ?? [])].join(' '),
      ...{ state: checks.state, nonce: checks.nonce },
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /** `query`: what the browser brought back, from the question mark on. Throws NotProved or IdentityProviderAway. */
  async finishSignIn(query: string, { state, nonce, verifier }: SignInChecks): Promise<Operator> {
    const { configuration } = await this.discovered();
    const back = new URL(this.settings.redirectUrl);
    back.search = query;
    const granted = await oidc
      .authorizationCodeGrant(configuration, back, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      })
      .catch((error: unknown) => {
        const away = this.away('sign-in', error);
        throw isAway(error) ? away : new NotProved('the sign-in proves nothing');
      });
    return this.operatorOf(granted.claims() ?? {});
  }

  private away(what: ProviderFailure['for'], error: unknown): IdentityProviderAway {
    this.failed({ for: what, reason: reasonOf(error), error });
    return new IdentityProviderAway(`no ${what}`);
  }

  private operatorOf(claims: JWTPayload): Operator {
    const { sub } = claims;
    if (typeof sub !== 'string' || sub === '') throw new NotProved('the token names no subject');
    return { subject: sub, grants: grantsOf(this.mapping, claims[this.settings.roleClaim]) };
  }

  /** Asked again until it succeeds once: the service starts while the identity provider is away. */
  private discovered(): Promise<Discovered> {
    this.discovering ??= this.discover().catch((error: unknown) => {
      this.discovering = undefined;
      throw this.away('discovery', error);
    });
    return this.discovering;
  }

  private async discover(): Promise<Discovered> {
    const { issuer, clientId, clientSecret, authorities = [], keysAgainMs = KEYS_AGAIN_MS } = this.settings;
    const trusting = fetchTrusting(authorities);
    const address = new URL(issuer);
    const configuration = await oidc.discovery(
      address,
      clientId,
      undefined,
      clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      {
        timeout: WAIT_MS / 1_000,
        [oidc.customFetch]: trusting,
        // Without it the ID token of a code would be believed by its TLS connection alone.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(address.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    const { issuer: named, jwks_uri: keysUrl = '' } = configuration.serverMetadata();
    const keys = createRemoteJWKSet(new URL(keysUrl), {
      ...{ timeoutDuration: WAIT_MS, cooldownDuration: keysAgainMs, cacheMaxAge: KEYS_KEPT_MS },
      [customFetch]: trusting,
    });
    return { issuer: named, configuration, keys };
  }
}

/** jose judged the token, rather than failing to get the keys. */
const isVerdict = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.constructor !== errors.JOSEError;

/** Of an answer of the provider alone: what a browser brings back may be anything. */
function reasonOf(error: unknown): string | undefined {
  const words =
    error instanceof oidc.WWWAuthenticateChallengeError
      ? error.cause.map(({ parameters }) => parameters.error)
      : [error instanceof oidc.ResponseBodyError ? error.error : undefined];
  return words.find((word) => word !== undefined && /^\w{1,64}$/.test(word));
}

/** No answer came, or one by which the provider says that it failed. */
function isAway(error: unknown): boolean {
  const { code, status } = Object(error) as { readonly code?: unknown; readonly status?: unknown };
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError || (typeof status === 'number' && status >= 500);
}

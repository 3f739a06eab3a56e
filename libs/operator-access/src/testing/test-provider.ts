import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

const ALGORITHM = 'RS256';
const CLAIM = 'groups';
export const AUDIENCE = 'opendsr-operators';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: ALGORITHM, use: 'sig' } };
}

/** What a token says, and by which key. */
interface TokenChanges {
  readonly claims?: JWTPayload;
  readonly key?: SigningKey;
  readonly issuedAt?: Date;
}

/** A real OpenID provider on this machine. Everybody who signs in is `person`, with these `groups`. */
export class TestProvider {
  /** `pem`: key and certificate of the server, which then speaks TLS. */
  static async start(redirectUrl: string, port = 0, pem?: string): Promise<TestProvider> {
    const server = pem === undefined ? createServer() : createTlsServer({ key: pem, cert: pem });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const scheme = pem === undefined ? 'http' : 'https';
    const provider = new TestProvider({ server, scheme }, redirectUrl, await newKey('first'));
    provider.serve();
    return provider;
  }

  readonly issuer: string;
  readonly clientId = 'console';
  readonly clientSecret = randomBytes(16).toString('base64url');
  readonly audience = AUDIENCE;
  readonly roleClaim = CLAIM;
  person = 'ann';
  groups: readonly string[] = [];
  /** Puts another ID token in the place of the one that the provider answers with. */
  replaced: ((idToken: string) => Promise<string> | string) | undefined;

  private readonly server: Server;

  private constructor(
    { server, scheme }: { readonly server: Server; readonly scheme: string },
    private readonly redirectUrl: string,
    private key: SigningKey,
  ) {
    this.server = server;
    this.issuer = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Changes its signing key; the old one is published no more. */
  async rotate(): Promise<void> {
    this.key = await newKey(randomBytes(8).toString('hex'));
    this.serve();
  }

  /** A key that the provider does not publish, under the name of the one that it does. */
  async foreignKey(): Promise<SigningKey> {
    return newKey(this.key.kid);
  }

  /** The token of a machine, as the provider issues it. */
  async machineToken(groups: readonly string[]): Promise<string> {
    this.groups = groups;
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`machine:${this.clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return token;
  }

  /** A token that the provider has not issued. Without changes one that it might have. */
  token({ claims = {}, key = this.key, issuedAt = new Date() }: TokenChanges = {}): Promise<string> {
    const seconds = Math.floor(issuedAt.getTime() / 1_000);
    const all = { iss: this.issuer, aud: AUDIENCE, sub: 'machine', iat: seconds, exp: seconds + 600, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: ALGORITHM, kid: key.kid }).sign(key.privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(): void {
    const provider = quietly(() => new Provider(this.issuer, this.configuration()));
    provider.use(async (context, next) => {
      await next();
      const answer = context.body as { id_token?: string } | undefined;
      if (this.replaced && answer?.id_token !== undefined) answer.id_token = await this.replaced(answer.id_token);
    });
    const answer = provider.callback();
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      if (request.url?.startsWith('/interaction/') !== true) void answer(request, response);
      else void provider.interactionFinished(request, response, { login: { accountId: this.person } });
    };
    this.server.removeAllListeners('request').on('request', handle);
  }

  private configuration(): Configuration {
    const { clientId, clientSecret, redirectUrl } = this;
    return {
      jwks: { keys: [this.key.jwk] },
      cookies: { keys: [clientSecret] },
      clients: [
        { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] },
        {
          ...{ client_id: 'machine', client_secret: clientSecret, redirect_uris: [], response_types: [] },
          grant_types: ['client_credentials'],
        },
      ],
      claims: { openid: ['sub', CLAIM] },
      conformIdTokenClaims: false,
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        ClientCredentials: 600,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      pkce: { required: () => true },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, [CLAIM]: [...this.groups] }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          accountId: oidc.session?.accountId ?? '',
          clientId: oidc.client?.clientId ?? '',
        });
        grant.addOIDCScope('openid');
        await grant.save();
        return grant;
      },
      extraTokenClaims: () => ({ [CLAIM]: [...this.groups] }),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => 'urn:opendsr:operators',
          useGrantedResource: () => false,
          getResourceServerInfo: () => ({
            ...{ scope: '', audience: AUDIENCE, accessTokenFormat: 'jwt' },
            jwt: { sign: { alg: ALGORITHM } },
          }),
        },
      },
    };
  }
}

/** It warns of its memory, which is what a test wants. */
function quietly<T>(make: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

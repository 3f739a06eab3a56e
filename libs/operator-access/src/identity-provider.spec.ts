import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { testCertificates } from '@opendsr-service/storage/testing';
import { UnsecuredJWT, decodeJwt } from 'jose';
import { IdentityProvider, IdentityProviderAway, NotProved, type ProviderFailure } from './identity-provider.client';
import { Browser, TestProvider } from './testing';

const REDIRECT = 'http://127.0.0.1:1/operator/v1/sign-in/callback';
const unheard = () => undefined;
const GRANTS = [{ role: 'officer' }, { role: 'operator', ws: 'acme' }];

describe('an identity provider', () => {
  let real: TestProvider;
  let provider: IdentityProvider;
  const settings = () => ({
    ...{ issuer: real.issuer, clientId: real.clientId, clientSecret: real.clientSecret, audience: real.audience },
    ...{ roleClaim: real.roleClaim, roles: ['privacy=officer', 'acme=operator@acme'], redirectUrl: REDIRECT },
    keysAgainMs: 0,
  });
  beforeAll(async () => {
    real = await TestProvider.start(REDIRECT);
    provider = new IdentityProvider(settings(), () => Date.now(), unheard);
  });
  afterAll(() => real.stop());
  beforeEach(() => {
    real.groups = ['privacy', 'acme', 'cooks'];
    real.replaced = undefined;
  });

  describe('by bearer token', () => {
    it('names the machine, with the grants that the mapping gives its claim', async () => {
      const token = await real.machineToken(['privacy', 'acme', 'cooks']);
      expect(await provider.ofBearer(token)).toMatchObject({ subject: 'machine', grants: GRANTS });
      expect(await provider.ofBearer(await real.token({ claims: { groups: 'privacy' } }))).toMatchObject({
        ...{ subject: 'machine', grants: GRANTS.slice(0, 1) },
      });
      expect((await provider.ofBearer(await real.token())).grants).toEqual([]);
    });

    it.each([
      ['another issuer', () => real.token({ claims: { iss: 'https://idp.example.com' } })],
      ['another audience', () => real.token({ claims: { aud: real.clientId } })],
      ['no audience', () => real.token({ claims: { aud: undefined } })],
      ['no subject', () => real.token({ claims: { sub: undefined } })],
      ['an end that has passed', () => real.token({ issuedAt: new Date(Date.now() - 3_600_000) })],
      ['no end', () => real.token({ claims: { exp: undefined } })],
      ['a beginning to come', () => real.token({ claims: { nbf: Math.floor(Date.now() / 1_000) + 600 } })],
      ['a foreign key', async () => real.token({ key: await real.foreignKey() })],
      [
        'the algorithm none',
        () => new UnsecuredJWT({ groups: ['privacy'] }).setIssuer(real.issuer).setAudience(real.audience).encode(),
      ],
      ['a changed claim', async () => changed(await real.token())],
      ['no form of a token', () => 'token'],
    ])('refuses a token with %s', async (_what, made) => {
      await expect(provider.ofBearer(await made())).rejects.toThrow(NotProved);
    });

    it('takes tokens of a new key, and those of the old one no more', async () => {
      const old = await real.token();
      await provider.ofBearer(old);
      await real.rotate();
      expect((await provider.ofBearer(await real.token())).subject).toBe('machine');
      await expect(provider.ofBearer(old)).rejects.toThrow(NotProved);
    });
  });

  describe('by browser', () => {
    const signIn = async () => {
      const { url, checks } = await provider.beginSignIn();
      return { checks, back: new URL(await new Browser().followUntil(url, REDIRECT)).search };
    };
    /** The ID token of the provider with other claims, signed with its own key. */
    const saying = (claims: object) =>
      (real.replaced = (token) => real.token({ claims: { ...decodeJwt(token), ...claims } }));

    it('names the person, with the grants that the mapping gives the claim of the ID token', async () => {
      const { checks, back } = await signIn();
      expect(await provider.finishSignIn(back, checks)).toEqual({ subject: 'ann', grants: GRANTS });
    });

    it('is asked for no scope but openid, and those that are set', async () => {
      const asked = async (more: object) => {
        const { url } = await new IdentityProvider({ ...settings(), ...more }, () => Date.now(), unheard).beginSignIn();
        return new URL(url).searchParams.get('scope');
      };
      expect([await asked({}), await asked({ scopes: ['groups', 'profile'] })]).toEqual([
        'openid',
        'openid groups profile',
      ]);
    });

    it('refuses a code that was used before', async () => {
      const { checks, back } = await signIn();
      await provider.finishSignIn(back, checks);
      await expect(provider.finishSignIn(back, checks)).rejects.toThrow(NotProved);
    });

    it.each([
      ['takes a code a moment later', 5_000, true],
      ['refuses a code that has expired', 3_600_000, false],
    ])('%s', async (_what, laterMs, isTaken) => {
      const { checks, back } = await signIn();
      const later = Date.now() + laterMs;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
      const outcome = await provider.finishSignIn(back, checks).then(
        () => true,
        (error: unknown) => error instanceof NotProved && false,
      );
      clock.mockRestore();
      expect(outcome).toBe(isTaken);
    });

    it.each(['state', 'nonce', 'verifier'] as const)('refuses the code of a sign-in with another %s', async (name) => {
      const { checks, back } = await signIn();
      const { checks: other } = await provider.beginSignIn();
      await expect(provider.finishSignIn(back, { ...checks, [name]: other[name] })).rejects.toThrow(NotProved);
    });

    it('says what the provider refuses this service', async () => {
      const failures: ProviderFailure[] = [];
      const wrong = { ...settings(), clientSecret: 'wrong' };
      const stranger = new IdentityProvider(
        wrong,
        () => Date.now(),
        (failure) => failures.push(failure),
      );
      const { checks, back } = await signIn();
      await expect(stranger.finishSignIn(back, checks)).rejects.toThrow(NotProved);
      expect(failures).toEqual([expect.objectContaining({ for: 'sign-in', reason: 'invalid_client' })]);
    });

    it('refuses what the provider refuses', async () => {
      const { checks } = await signIn();
      const back = `?error=access_denied&state=${checks.state}&iss=${encodeURIComponent(real.issuer)}`;
      await expect(provider.finishSignIn(back, checks)).rejects.toThrow(NotProved);
    });

    it.each([
      ['another issuer', () => saying({ iss: 'https://idp.example.com' })],
      ['another audience', () => saying({ aud: 'other' })],
      ['another nonce', () => saying({ nonce: 'other' })],
      ['no nonce', () => saying({ nonce: undefined })],
      ['an end that has passed', () => saying({ exp: Math.floor(Date.now() / 1_000) - 600 })],
      [
        'a foreign key',
        () => {
          real.replaced = async (token) => real.token({ claims: decodeJwt(token), key: await real.foreignKey() });
        },
      ],
      [
        'the algorithm none',
        () => {
          real.replaced = (token) => new UnsecuredJWT(decodeJwt(token)).encode();
        },
      ],
    ])('refuses an ID token with %s', async (_what, plan) => {
      plan();
      const { checks, back } = await signIn();
      await expect(provider.finishSignIn(back, checks)).rejects.toThrow(NotProved);
    });
  });
});

it('says that the provider is away, and why, and finds it when it is back', async () => {
  const gone = await TestProvider.start(REDIRECT);
  const { issuer, clientId, audience, roleClaim } = gone;
  const roles = ['privacy=officer'];
  const settings = { issuer, clientId, audience, roleClaim, roles, redirectUrl: REDIRECT };
  const failures: ProviderFailure[] = [];
  const provider = new IdentityProvider(
    settings,
    () => Date.now(),
    (failure) => failures.push(failure),
  );
  await gone.stop();
  await expect(provider.ofBearer(await gone.token())).rejects.toThrow(IdentityProviderAway);
  await expect(provider.beginSignIn()).rejects.toThrow(IdentityProviderAway);
  const why = { for: 'discovery', reason: undefined, error: expect.objectContaining({ name: 'TypeError' }) as unknown };
  expect(failures).toEqual([why, why]);
  const back = await TestProvider.start(REDIRECT, Number(new URL(issuer).port));
  expect((await provider.ofBearer(await back.token())).subject).toBe('machine');
  await back.stop();
});

describe('a provider whose certificate is of a private authority', () => {
  let folder: string;
  let real: TestProvider;
  let authorities: readonly string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'provider-'));
    const { authorityFile, serverFile } = await testCertificates(folder);
    authorities = [await readFile(authorityFile, 'utf8')];
    real = await TestProvider.start(REDIRECT, 0, await readFile(serverFile, 'utf8'));
    real.groups = ['privacy'];
  });
  afterAll(async () => {
    await real.stop();
    await rm(folder, { recursive: true });
  });
  const known = (trusted?: readonly string[]) =>
    new IdentityProvider(
      {
        ...{ issuer: real.issuer, clientId: real.clientId, clientSecret: real.clientSecret, audience: real.audience },
        ...{ roleClaim: real.roleClaim, roles: ['privacy=officer'], redirectUrl: REDIRECT },
        ...(trusted && { authorities: trusted }),
      },
      () => Date.now(),
      unheard,
    );

  it('proves machines and people where the authority is named', async () => {
    const provider = known(authorities);
    const token = await real.token({ claims: { groups: 'privacy' } });
    expect(await provider.ofBearer(token)).toMatchObject({ subject: 'machine', grants: GRANTS.slice(0, 1) });
    const { url, checks } = await provider.beginSignIn();
    const back = new URL(await new Browser(authorities).followUntil(url, REDIRECT)).search;
    expect(await provider.finishSignIn(back, checks)).toEqual({ subject: 'ann', grants: GRANTS.slice(0, 1) });
  });

  it('is away where it is not, or another is', async () => {
    const others = await mkdtemp(join(folder, 'others-'));
    const { authorityFile } = await testCertificates(others);
    for (const trusted of [undefined, [await readFile(authorityFile, 'utf8')]])
      await expect(known(trusted).ofBearer(await real.token())).rejects.toThrow(IdentityProviderAway);
  });

  it('is away where it is not, also in a process whose environment lets Node believe any certificate', async () => {
    const { env } = runInThisContext('process') as NodeJS.Process;
    env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await expect(known().ofBearer(await real.token())).rejects.toThrow(IdentityProviderAway);
    } finally {
      delete env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

/** The token with another claim and the old signature. */
function changed(token: string): string {
  const [head = '', , signature = ''] = token.split('.');
  const claims = { ...decodeJwt(token), groups: ['privacy'] };
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

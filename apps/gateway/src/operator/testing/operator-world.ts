import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@opendsr-service/config';
import type { Role } from '@opendsr-service/operator-access';
import { Browser, TestProvider } from '@opendsr-service/operator-access/testing';
import type { Upstream } from '@opendsr-service/operator-answers';
import { Service } from '../../testing/service';
import { World } from '../../testing/world';
import { CALLBACK_PATH, OPERATOR_ROOT } from '../../versions/operator-paths';

const URL_OF_BROWSERS = 'http://operators.example.com';
const ROLES: readonly Role[] = ['viewer', 'operator', 'officer', 'admin'];

/** A browser with a session. */
export interface SignedIn {
  readonly browser: Browser;
  readonly csrfToken: string;
}

/**
 * A gateway with the operator's API, and a real identity provider. A group of the name of a role has that role, and one of
 * `role@workspace` has it there.
 */
export class OperatorWorld {
  /** On embedded stores, or on those that are given. */
  static async open(
    environment: Environment = {},
    beside: readonly Upstream[] = [],
    stores?: Parameters<typeof World.open>[0],
  ): Promise<OperatorWorld> {
    const world = await World.open(stores);
    const provider = await TestProvider.start(`${URL_OF_BROWSERS}${CALLBACK_PATH}`);
    return OperatorWorld.serve({ world, provider }, environment, beside).catch(async (error: unknown) => {
      await provider.stop();
      throw error;
    });
  }

  private static async serve(
    { world, provider }: Pick<OperatorWorld, 'world' | 'provider'>,
    environment: Environment,
    beside: readonly Upstream[],
  ): Promise<OperatorWorld> {
    const mapping = ROLES.flatMap((role) => [role, `${role}@sandbox`, `${role}@acme`].map((one) => `${one}=${one}`));
    const secretFile = join(world.parts.dataDir, 'client-secret');
    writeFileSync(secretFile, `${provider.clientSecret}\n`);
    const settings = {
      OPERATOR_OIDC_CLIENT_SECRET_FILE: secretFile,
      ...{ OPERATOR_PORT: '0', OPERATOR_URL: URL_OF_BROWSERS, OPERATOR_ROLES: mapping.join(',') },
      ...{ OPERATOR_OIDC_ISSUER: provider.issuer, OPERATOR_OIDC_CLIENT_ID: provider.clientId },
      ...{ OPERATOR_OIDC_AUDIENCE: provider.audience },
      ...environment,
    };
    const service = await Service.start(world, settings, undefined, { beside });
    await service.workspaces.create({ ws: 'acme', name: 'Acme', controllerId: '1402' });
    return new OperatorWorld(world, service, provider);
  }

  private constructor(
    readonly world: World,
    readonly service: Service,
    readonly provider: TestProvider,
  ) {}

  /** A call of the operator's API, with a bearer token of these groups if any, by a machine or somebody else. */
  async call(
    method: string,
    path: string,
    options: { groups?: readonly string[]; by?: string; headers?: object; body?: object } = {},
  ) {
    const { groups, by: sub = 'machine', headers = {}, body } = options;
    // The provider's clock is the machine's, and that of the service is moved by hand.
    const issuedAt = this.world.clock.now();
    const token = groups && (await this.provider.token({ claims: { groups, sub }, issuedAt }));
    return fetch(`${this.service.operatorUrl}${OPERATOR_ROOT}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Somebody of these groups signs in by browser. */
  async signIn(groups: readonly string[], person = 'ann'): Promise<SignedIn> {
    const browser = new Browser();
    const answer = await this.finish(browser, await this.beginSignIn(browser, groups, person));
    const { csrf_token: csrfToken } = (await answer.json()) as { csrf_token: string };
    return { browser, csrfToken };
  }

  /** What the identity provider sends the browser back with. */
  async beginSignIn(browser: Browser, groups: readonly string[], person = 'ann'): Promise<string> {
    this.provider.groups = groups;
    this.provider.person = person;
    const begun = `${this.service.operatorUrl}${OPERATOR_ROOT}/sign-in`;
    return new URL(await browser.followUntil(begun, URL_OF_BROWSERS)).search;
  }

  finish(browser: Browser, search: string): Promise<Response> {
    return browser.call(`${this.service.operatorUrl}${CALLBACK_PATH}${search}`);
  }

  /** A call with the session of a browser. */
  as({ browser }: Pick<SignedIn, 'browser'>, method: string, path: string, headers: Record<string, string> = {}) {
    return browser.call(`${this.service.operatorUrl}${OPERATOR_ROOT}${path}`, { method, headers });
  }

  /** A controller creates a request in the workspace `sandbox`. Returns its id. */
  async request(more: object = {}): Promise<string> {
    const id = randomUUID();
    const answer = await this.service.call('POST', '/v2/requests', {
      body: {
        ...{ regulation: 'gdpr', subject_request_id: id, subject_request_type: 'access' },
        submitted_time: this.world.clock.now().toISOString(),
        subject_identities: [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }],
        ...more,
      },
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    return id;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.world.close();
    await this.provider.stop();
  }
}

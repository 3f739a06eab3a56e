import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { processSettings, readSettings, rotationTimes, type Environment } from '@opendsr-service/config';
import { ownProcessOf, ownUpstream, type OwnDocuments, type Upstream } from '@opendsr-service/operator-answers';
import { createLogger, serveMounted, type Logger, type RunningProcess } from '@opendsr-service/service';
import type { BeforeRenewal } from '@opendsr-service/signing';
import { testSigner } from '@opendsr-service/transparency/testing';
import { GenerationFiles, openRotation, openVault, type Vault } from '@opendsr-service/vault';
import { newCredential, openWorkspaces, Participants, waiverKey, type Workspaces } from '@opendsr-service/workspaces';
import { furtherListeners } from '../versions/further-listeners';
import { gatewayTable } from '../gateway.config';
import { mountGateway, openOperatorPlatform, type GatewayPlatform, type ResultsSource } from '../gateway.module';
import { isOperatorPath } from '../versions/operator-paths';
import { NamedSigner } from './signer';
import type { World } from './world';

const table = { ...gatewayTable, ...processSettings };
const noResults: ResultsSource = { open: () => Promise.resolve({ status: 410 }) };

/**
 * No spec asks DNS: names under `inside.example` have a private address beside a public one, all others a public one.
 */
const addresses: GatewayPlatform['addresses'] = {
  ofOtherHost: (name) =>
    Promise.resolve(
      ['1.1.1.1', ...(name.endsWith('inside.example') ? ['10.0.0.1'] : [])].map((address) => ({ address, family: 4 })),
    ),
};

/** A busy machine is no database that is away. */
const LIMITS_TIMEOUT_MS = 60_000;

export const DOMAINS = { v2: 'opendsr.service.com', v1: 'opengdpr.service.com' } as const;
export const namedSigners = () => ({ v2: new NamedSigner(DOMAINS.v2), v1: new NamedSigner(DOMAINS.v1, 'opengdpr') });

/** What is around the gateway: where it logs, and the services that the operator's API asks beside it. */
export interface Surroundings {
  readonly log: Logger;
  readonly beside: readonly Upstream[];
}

const surroundings: Surroundings = { log: createLogger('test', 'error'), beside: [] };

/** The gateway as a process serves it, on the stores of a world, with whatever its environment sets. */
export class Service {
  static async start(
    { parts }: World,
    environment: Environment = {},
    { v2, v1 } = namedSigners(),
    around: Partial<Surroundings> = {},
  ): Promise<Service> {
    const { log, beside } = { ...surroundings, ...around };
    const { storage, log: events, clock } = parts;
    const now = () => clock.now().getTime();
    const values = readSettings(table, {
      TIMING_PROFILE: 'sandbox',
      PORT: '0',
      ADMIN_PORT: '0',
      ...credential,
      ...environment,
    });
    const { KEY_GENERATION_FOLDER: folder } = values;
    const keys = { masterKey, generations: folder === undefined ? undefined : new GenerationFiles(folder, masterKey) };
    const keysDatabase = await storage.database('keys-of-service');
    const { vault, linkKeys, seal } = await openVault(keysDatabase, keys, now, parts.publisher);
    const connection = await storage.database('workspaces-of-service');
    const [workspaces, participants] = [
      await openWorkspaces(connection, vault, seal, now),
      new Participants(connection, seal, now),
    ];
    const announcements: BeforeRenewal[] = [];
    const beforeRenewal = (announce: BeforeRenewal) => void announcements.push(announce);
    const host = {
      log,
      fatal: (error: unknown) => {
        throw error;
      },
    };
    const mayLink = values.OPERATOR_PORT !== undefined;
    const operator = mayLink ? await openOperatorPlatform(values, { clock, log, seal, mayLink }) : undefined;
    const platform = {
      operator,
      storage,
      events,
      vault,
      rotation: openRotation(keysDatabase, keys, rotationTimes(values), now),
      linkKeys,
      workspaces,
      participants,
      signers: { v2, ...(values.SERVE_V1 && { v1 }) },
      beforeRenewal,
      logSigner: testSigner(),
      clock,
      addresses,
      limitsTimeoutMs: LIMITS_TIMEOUT_MS,
      log: host.log,
    };
    const own = ownProcessOf(host);
    const upstreams = (documents: OwnDocuments) => [ownUpstream(own, [documents], clock), ...beside];
    const gateway = await mountGateway({ ...platform, upstreams }, values, noResults);
    const running = await serveMounted(values, host, {
      services: [gateway],
      own,
      publicPort: values.PORT,
      furtherListeners: furtherListeners(values),
      prepare: [],
      closing: [],
      errorStyle: (path) => (path !== undefined && isOperatorPath(path) ? 'problem' : 'dsr'),
    });
    const link = operator?.link?.token;
    return new Service(running, gateway.module.controllers ?? [], {
      ...{ announcements, workspaces, participants, link, vault, waiverKey: waiverKey(seal) },
    });
  }

  private constructor(
    private readonly running: RunningProcess,
    readonly controllers: readonly Type[],
    private readonly made: {
      readonly announcements: readonly BeforeRenewal[];
      readonly workspaces: Workspaces;
      readonly participants: Participants;
      readonly link: string | undefined;
      readonly vault: Vault;
      readonly waiverKey: KeyObject;
    },
  ) {}

  /** Renews a certificate as the process does, once that was announced. */
  async renew(signer: NamedSigner): Promise<void> {
    const next = signer.next();
    for (const announce of this.made.announcements) await announce(next);
    signer.generation = next.generation;
  }

  /** A call with the credentials of the workspace, unless it goes without. To the public port, or to another. */
  call(
    method: string,
    path: string,
    { body, port = this.running.port, anonymous = false }: { body?: object; port?: number; anonymous?: boolean } = {},
  ): Promise<Response> {
    const headers = {
      ...(!anonymous && { authorization: BASIC }),
      ...(body && { 'content-type': 'application/json' }),
    };
    return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** A call with exactly this body, and with these headers beside the credentials or in their place. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { authorization: BASIC, ...headers },
      ...(body !== undefined && { body }),
    });
  }

  /** What Prometheus reads. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.running.adminPort}/metrics`)).text();
  }

  /** The header with the credentials of the workspace, as it goes over the wire. */
  get credentials(): string {
    return `authorization: ${BASIC}`;
  }

  get port(): number {
    return this.running.port ?? 0;
  }

  /** The ports beside the public one. */
  get morePorts(): readonly number[] {
    return this.running.furtherPorts;
  }

  get adminPort(): number {
    return this.running.adminPort;
  }

  get participants(): Participants {
    return this.made.participants;
  }

  /** The workspaces that its callers belong to. */
  get workspaces(): Workspaces {
    return this.made.workspaces;
  }

  /** Opens what the service has sealed. */
  get vault(): Vault {
    return this.made.vault;
  }

  /** Signs waivers. */
  get waiverKey(): KeyObject {
    return this.made.waiverKey;
  }

  /** Address of the operator's API, where the environment has OPERATOR_PORT. */
  get operatorUrl(): string {
    return `http://127.0.0.1:${this.running.furtherPorts.at(-1)}`;
  }

  /** The token of the link that signs in once, where there is no identity provider. */
  get linkToken(): string {
    return this.made.link ?? '';
  }

  stop(): Promise<boolean> {
    return this.running.stop();
  }
}

const masterKey = createSecretKey(randomBytes(32));
const { key, secret } = newCredential();
const credential = { SANDBOX_KEY: key, SANDBOX_SECRET: secret };
const BASIC = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountCallbackDispatcher } from '@opendsr-service/callback-dispatcher';
import { mountGateway } from '@opendsr-service/gateway';
import { mountIngestion } from '@opendsr-service/ingestion';
import { mountRequest } from '@opendsr-service/request';
import { mountResults } from '@opendsr-service/results';
import { processSettings, readSettings, type Environment } from '@opendsr-service/config';
import {
  createLogger,
  openStores,
  serveMounted,
  systemClock,
  topicsStep,
  type Host,
  type Logger,
  type HostedService,
  type OpenStores,
  type RunningProcess,
} from '@opendsr-service/service';
import { testSigner } from '@opendsr-service/transparency/testing';
import { openVault } from '@opendsr-service/vault';
import { newCredential, openWorkspaces, Participants } from '@opendsr-service/workspaces';
import { openSecrets } from '../sandbox/secrets';
import { standaloneTable } from '../standalone.config';

const REPLICATION = { replication: 1, minIsr: 1 };

/** A gateway, and everything behind it, on shared embedded stores: servers of their own, so that one can be missing for a while. */
export class World {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'standalone-'));
  readonly sandbox = newCredential();
  /** What the services wrote to their logs, each under its own name. */
  readonly lines: string[] = [];
  private readonly values;
  private readonly running = new Map<string, RunningProcess>();
  private stores: OpenStores | undefined;

  /** `environment` holds settings that differ from the defaults of a quick round. */
  constructor(environment: Environment = {}) {
    const quick = {
      PORT: '0',
      ADMIN_PORT: '0',
      WORKER_POLL_MS: '50ms',
      RELAY_POLL_MS: '50ms',
      RELAY_FIRST_GAP_MS: '300ms',
      ACCESS_WAIT_MS: '400ms',
      PORTABILITY_WAIT_MS: '1h',
    };
    this.values = readSettings(
      { ...standaloneTable, ...processSettings },
      { DATA_DIR: this.dataDir, ...quick, ...environment },
    );
  }

  get logFile(): string {
    return join(this.dataDir, 'log.db');
  }

  /** Starts a gateway and answers how to call it. */
  async gateway(): Promise<
    (method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Response>
  > {
    const values = { ...this.values, SANDBOX_KEY: this.sandbox.key, SANDBOX_SECRET: this.sandbox.secret };
    const running = await this.serve(
      'gateway',
      (platform) => mountGateway(platform, values, { open: () => Promise.resolve({ status: 404 }) }),
      0,
    );
    return (method, path, body, headers) => this.call(running, method, path, { body, headers });
  }

  /** Starts what fulfils requests: the request service, results and ingestion. Answers how to call ingestion. */
  async fulfilment(): Promise<(path: string, body: object) => Promise<Response>> {
    const ingestion = await mountIngestion(await this.platform('ingestion'), this.values);
    const running = await this.serve('ingestion', () => Promise.resolve(ingestion), 0);
    await this.serve('results', (platform) => mountResults(platform, this.values, ingestion.exports));
    await this.serve('request', (platform) => mountRequest(platform, this.values));
    return (path, body) => this.call(running, 'POST', path, { body });
  }

  /** Starts the callback-dispatcher, whose receivers take everything. */
  async callbacks(): Promise<void> {
    const sender = {
      post: () => Promise.resolve({ kind: 'delivered', status: 202, durationMs: 1 } as const),
      close: () => Promise.resolve(),
    };
    await this.serve('callback-dispatcher', (platform) =>
      mountCallbackDispatcher({ ...platform, sender }, this.values),
    );
  }

  /** What Prometheus reads of a service. */
  async metrics(service: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.running.get(service)?.adminPort}/metrics`)).text();
  }

  async close(): Promise<void> {
    for (const running of [...this.running.values()].reverse()) await running.stop();
    for (const { run } of this.stores?.closing ?? []) await run();
    rmSync(this.dataDir, { recursive: true });
  }

  private call(
    { port }: RunningProcess,
    method: string,
    path: string,
    { body, headers }: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${this.sandbox.key}:${this.sandbox.secret}`).toString('base64')}`;
    return fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  private async serve(
    name: string,
    mount: (platform: Awaited<ReturnType<World['platform']>>) => Promise<HostedService>,
    publicPort?: number,
  ): Promise<RunningProcess> {
    const platform = await this.platform(name);
    const first = [topicsStep(platform.events, REPLICATION, platform.log)];
    const host: Host = {
      log: platform.log,
      fatal: (error) => {
        throw error;
      },
    };
    const running = await serveMounted(this.values, host, {
      services: [await mount(platform)],
      prepare: first,
      closing: [],
      ...(publicPort !== undefined && { publicPort }),
    });
    this.running.set(name, running);
    return running;
  }

  private logOf(name: string): Logger {
    return createLogger(name, 'info', { write: (line) => void this.lines.push(line) });
  }

  private async open(): Promise<OpenStores> {
    return (this.stores ??= await openStores(this.values, 'test'));
  }

  private async platform(name: string) {
    const log = this.logOf(name);
    const { storage, events } = await this.open();
    const now = () => systemClock.now().getTime();
    const { keys, signing } = await openSecrets(this.values, {
      clock: systemClock,
      log,
      waitFor: (_what, attempt) => attempt(),
    });
    const { vault, linkKeys, seal } = await openVault(await storage.database('keys'), keys, now, events.publisher);
    const connection = await storage.database('workspaces');
    const workspaces = await openWorkspaces(connection, vault, seal, now);
    const participants = new Participants(connection, seal, now);
    return {
      storage,
      events,
      vault,
      linkKeys,
      seal,
      workspaces,
      participants,
      signers: signing.signers,
      clock: systemClock,
      log,
      logSigner: testSigner(),
      serviceTokens: () => Promise.resolve([]),
    };
  }
}

import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mountGateway } from '@opendsr-service/gateway';
import { mountIngestion } from '@opendsr-service/ingestion';
import { mountRequest } from '@opendsr-service/request';
import { mountResults } from '@opendsr-service/results';
import { createLog, openStores, processSettings, readSettings, serveMounted, systemClock, topicsStep, type Mounted, type OpenStores, type Running } from '@opendsr-service/runtime';
import { openVault } from '@opendsr-service/vault';
import { newCredential, openWorkspaces, Participants } from '@opendsr-service/workspaces';
import { openSecrets } from '../sandbox/secrets';
import { standaloneTable } from '../standalone.config';

const REPLICATION = { replication: 1, minIsr: 1 };

/** A gateway, and everything behind it, on shared embedded stores: servers of their own, so that one can be missing for a while. */
export class World {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'standalone-'));
  readonly sandbox = newCredential();
  private readonly values = readSettings(
    { ...standaloneTable, ...processSettings },
    { DATA_DIR: this.dataDir, PORT: '0', ADMIN_PORT: '0', WORKER_POLL_MS: '50ms', RELAY_POLL_MS: '50ms', RELAY_FIRST_GAP_MS: '300ms', ACCESS_WAIT_MS: '400ms', PORTABILITY_WAIT_MS: '1h' },
  );
  private readonly host = { log: createLog('test', 'error'), fatal: (error: unknown) => { throw error; } };
  private readonly running: Running[] = [];
  private stores: OpenStores | undefined;

  get logFile(): string {
    return join(this.dataDir, 'log.db');
  }

  /** Starts a gateway and answers how to call it. */
  async gateway(): Promise<(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Response>> {
    const platform = await this.platform();
    const values = { ...this.values, SANDBOX_KEY: this.sandbox.key, SANDBOX_SECRET: this.sandbox.secret };
    const { port } = await this.serve([await mountGateway(platform, values, { open: () => Promise.resolve({ status: 404 }) })], 0);
    const authorization = `Basic ${Buffer.from(`${this.sandbox.key}:${this.sandbox.secret}`).toString('base64')}`;
    return (method, path, body, headers) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { ...headers, authorization, 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Starts what fulfils requests: the request service, results and ingestion. */
  async fulfilment(): Promise<void> {
    const platform = await this.platform();
    const ingestion = await mountIngestion(platform, this.values);
    const results = await mountResults(platform, this.values, ingestion.exports);
    await this.serve([await mountRequest(platform, this.values), ingestion, results]);
  }

  async close(): Promise<void> {
    for (const running of this.running.reverse()) await running.stop();
    for (const { run } of this.stores?.closing ?? []) await run();
    rmSync(this.dataDir, { recursive: true });
  }

  private async serve(services: readonly Mounted[], publicPort?: number): Promise<Running> {
    const { events } = await this.open();
    const first = [topicsStep(events, REPLICATION)];
    const running = await serveMounted(this.values, this.host, { services, first, closing: [], ...(publicPort !== undefined && { publicPort }) });
    this.running.push(running);
    return running;
  }

  private async open(): Promise<OpenStores> {
    return (this.stores ??= await openStores(this.values, 'test'));
  }

  private async platform() {
    const { storage, events } = await this.open();
    const now = () => systemClock.now().getTime();
    const { masterKey, signing } = await openSecrets(this.values, { clock: systemClock, log: this.host.log });
    const { vault, linkKeys, seal } = await openVault(await storage.database('keys'), masterKey, now, events.publisher);
    const connection = await storage.database('workspaces');
    const workspaces = await openWorkspaces(connection, vault, seal, now);
    const participants = new Participants(connection, seal, now);
    return { storage, events, vault, linkKeys, seal, workspaces, participants, signers: signing.signers, clock: systemClock, log: this.host.log, serviceToken: 'unused in one process' };
  }
}

import type { Type } from '@nestjs/common';
import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import { httpSettings, processSettings, readSettings, timingSettings, type Environment } from '@opendsr-service/config';
import { serveMounted, type RunningProcess } from '@opendsr-service/service';
import { openWorkspaces, type Scope } from '@opendsr-service/workspaces';
import { ingestionSettings } from '../ingestion.config';
import { isIngestPath, mountIngestion } from '../ingestion.module';
import type { IdentityAnswer } from '../intake/identity-answer';
import { quietLog, type World } from './world';

export const SERVICE_TOKEN = 'service-token-of-the-tests-0123456789';
export const BASIC = `Basic ${Buffer.from('key:secret').toString('base64')}`;
export const WRONG = `Basic ${Buffer.from('key:wrong').toString('base64')}`;
export const NO_HEADER = '';

/** No service caches a changed workspace for longer. */
const WORKSPACE_CACHE_MS = 30_001;
const TABLE = { ...timingSettings('production'), ...httpSettings, ...processSettings, ...ingestionSettings } as const;

/** Ingestion as served by a process, on the stores of a world. */
export class Service {
  /** `environment`: settings other than the defaults. */
  static async start(world: World, environment: Environment = {}): Promise<Service> {
    const { storage, events, vault, seal, clock } = world.parts;
    const { workspaces } = await workspacesOf(world);
    await workspaces.ensureSandbox({ ws: 'acme', controllerId: 'c', key: 'key', secret: 'secret' });
    const platform = {
      storage,
      events: { ...eventsOf(events), publisher: world.publisher },
      vault,
      seal,
      workspaces,
      clock,
      log: quietLog,
      serviceTokens: () => Promise.resolve([SERVICE_TOKEN]),
    };
    const values = readSettings(TABLE, {
      PORT: '0',
      ADMIN_PORT: '0',
      WORKER_POLL_MS: '50ms',
      ERASURE_SECOND_PASS_MS: '1s',
      ...environment,
    });
    const mounted = await mountIngestion(platform, values);
    const running = await serveMounted(
      values,
      { log: quietLog, fatal: () => undefined },
      {
        services: [mounted],
        publicPort: 0,
        prepare: [],
        closing: [],
        errorStyle: (path) => (path === undefined || isIngestPath(path) ? 'ingest' : 'dsr'),
      },
    );
    return new Service(running, mounted.module.controllers ?? []);
  }

  /** Another credential of the same workspace, with these scopes only. */
  static async addKey(
    world: World,
    { key, secret, scopes }: { readonly key: string; readonly secret: string; readonly scopes: readonly Scope[] },
  ): Promise<void> {
    const { connection, workspaces } = await workspacesOf(world);
    await workspaces.ensureSandbox({ ws: 'acme', controllerId: 'c', key, secret });
    await connection
      .collection<{ _id: string; ws: string }>('credentials')
      .updateOne({ _id: key, ws: 'acme' }, { $set: { scopes: [...scopes] } });
  }

  /** Sets the policy for data of erased subjects, effective at once. */
  static async choosePolicy(world: World, policy: AfterErasurePolicy): Promise<void> {
    const { workspaces } = await workspacesOf(world);
    await workspaces.setAfterErasure('acme', policy);
    world.parts.clock.advance(WORKSPACE_CACHE_MS);
  }

  private constructor(
    private readonly running: RunningProcess,
    readonly controllers: readonly Type[],
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.running.port}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.running.adminPort}`;
  }

  /** `credentials`: an `authorization`, or headers in its place. */
  post(path: string, body: unknown, credentials: string | Readonly<Record<string, string>> = BASIC): Promise<Response> {
    const own =
      typeof credentials === 'string'
        ? { ...(credentials !== NO_HEADER && { authorization: credentials }) }
        : credentials;
    return this.call(path, {
      method: 'POST',
      body: textOf(body),
      headers: { 'content-type': 'application/json', ...own },
    });
  }

  /** The answer of an identity call. Fails unless it is a 200. */
  async identity(path: string, body: unknown): Promise<IdentityAnswer> {
    const answer = await this.post(path, body);
    expect(answer.status).toBe(200);
    return (await answer.json()) as IdentityAnswer;
  }

  call(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${this.url}${path}`, init);
  }

  admin(path: string, body: unknown, token = SERVICE_TOKEN): Promise<Response> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return fetch(`${this.adminUrl}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** The metrics page. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.adminUrl}/metrics`)).text();
  }

  stop(): Promise<boolean> {
    return this.running.stop();
  }
}

async function workspacesOf({ parts: { storage, vault, seal, clock } }: World) {
  const connection = await storage.database('workspaces');
  return { connection, workspaces: await openWorkspaces(connection, vault, seal, () => clock.now().getTime()) };
}

/** Sends text unchanged, all else as JSON. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const eventsOf = (events: World['parts']['events']) => ({
  kind: events.kind,
  topics: events.topics,
  openPublisher: events.openPublisher.bind(events),
  consume: events.consume.bind(events),
  read: events.read.bind(events),
  readKey: events.readKey.bind(events),
  lag: events.lag.bind(events),
  hasMembers: events.hasMembers.bind(events),
  rewind: events.rewind.bind(events),
  close: events.close.bind(events),
});

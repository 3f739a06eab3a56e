import { httpSettings, processSettings, readSettings, serveMounted, type Running } from '@opendsr-service/runtime';
import { openWorkspaces } from '@opendsr-service/workspaces';
import { isIngestPath, mountIngestion } from '../ingestion.module';
import { quietLog, type World } from './world';

export const SERVICE_TOKEN = 'service-token-of-the-tests-0123456789';
export const BASIC = `Basic ${Buffer.from('key:secret').toString('base64')}`;
export const WRONG = `Basic ${Buffer.from('key:wrong').toString('base64')}`;
export const NO_HEADER = '';

/** Ingestion as a process serves it, on the stores of a world. */
export class Service {
  static async start(world: World): Promise<Service> {
    const { storage, events, vault, clock } = world.parts;
    const workspaces = await openWorkspaces(await storage.database('workspaces'), vault, () => clock.now().getTime());
    await workspaces.ensureSandbox({ ws: 'acme', controllerId: 'c', key: 'key', secret: 'secret' });
    const platform = { storage, events: { ...eventsOf(events), publisher: world.publisher }, vault, workspaces, clock, log: quietLog, serviceToken: SERVICE_TOKEN };
    const mounted = await mountIngestion(platform, { WORKER_POLL_MS: 50, ERASURE_SECOND_PASS_MS: 1_000 });
    const values = readSettings({ ...httpSettings, ...processSettings }, { PORT: '0', ADMIN_PORT: '0' });
    const running = await serveMounted(values, { log: quietLog, fatal: () => undefined }, {
      services: [mounted], publicPort: 0, first: [], closing: [],
      errorStyle: (path) => (path === undefined || isIngestPath(path) ? 'ingest' : 'dsr'),
    });
    return new Service(running);
  }

  private constructor(private readonly running: Running) {}

  post(path: string, body: unknown, authorization = BASIC): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', ...(authorization !== NO_HEADER && { authorization }) };
    return fetch(`http://127.0.0.1:${this.running.port}${path}`, { method: 'POST', body: text, headers });
  }

  admin(path: string, body: unknown, token = SERVICE_TOKEN): Promise<Response> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return fetch(`http://127.0.0.1:${this.running.adminPort}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  }

  stop(): Promise<boolean> {
    return this.running.stop();
  }
}

const eventsOf = (events: World['parts']['events']) => ({
  kind: events.kind,
  topics: events.topics,
  consume: events.consume.bind(events),
  close: events.close.bind(events),
});

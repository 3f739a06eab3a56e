import { until } from '@opendsr-service/messaging/testing';
import { httpSettings, processSettings, readSettings } from '@opendsr-service/config';
import { serveMounted, type Logger, type RunningProcess } from '@opendsr-service/service';
import { mountResults } from '../results.module';
import { quietLog, SECOND_PASS_MS, VALIDITY_MS, type World } from './world';

const TOKEN = 'service-token-of-the-tests-0123456789';
export const OTHER_TOKEN = 'another-token-of-the-tests-0123456789';

/** Results as served by a process, on the stores of a world. */
export class Service {
  static async start(world: World, log: Logger = quietLog): Promise<Service> {
    const { storage, events, vault, linkKeys, seal, clock } = world.parts;
    const settings = {
      RESULTS_VALIDITY_MS: VALIDITY_MS,
      ERASURE_SECOND_PASS_MS: SECOND_PASS_MS,
      WORKER_POLL_MS: 50,
      SWEEP_POLL_MS: 50,
      METRICS_INTERVAL_MS: 100,
    };
    const mounted = await mountResults(
      {
        storage,
        events,
        vault,
        linkKeys,
        seal,
        clock,
        log,
        serviceTokens: () => Promise.resolve([TOKEN, OTHER_TOKEN]),
      },
      settings,
      world.source,
    );
    const values = readSettings({ ...httpSettings, ...processSettings }, { PORT: '0', ADMIN_PORT: '0' });
    // The event log outlives this service, as it outlives a process.
    const running = await serveMounted(
      values,
      { log, fatal: () => undefined },
      { services: [mounted], prepare: [], closing: [] },
    );
    return new Service(world, running);
  }

  private constructor(
    private readonly world: World,
    private readonly running: RunningProcess,
  ) {}

  get adminPort(): number {
    return this.running.adminPort;
  }

  /** The answer of the link of a request. */
  async open(srid: string): Promise<Response> {
    return this.get(this.tokenOf(srid));
  }

  get(token: string, shown = TOKEN): Promise<Response> {
    return fetch(this.address(token), { headers: { authorization: `Bearer ${shown}` } });
  }

  /** Waits until the link of a request answers with this status. */
  async answers(srid: string, status: number): Promise<Response> {
    let answer = await this.open(srid);
    await until(async () => {
      if (answer.status === status) return true;
      await answer.body?.cancel();
      answer = await this.open(srid);
      return answer.status === status;
    });
    return answer;
  }

  stop(): Promise<boolean> {
    return this.running.stop();
  }

  private address(token: string): string {
    return `http://127.0.0.1:${this.running.adminPort}/internal/results/${token}`;
  }

  private tokenOf(srid: string): string {
    return this.world.parts.linkKeys.tokenFor('ws', srid);
  }
}

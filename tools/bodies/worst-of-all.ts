import type { Environment } from '../e2e/child-service';
import { noRateLimits, type Service } from '../e2e/service';
import { lesser, Meter, type Measured } from './measure';
import { routesOf, worstBodies, type Body, type Route } from './routes';

/** Nothing starts while it is measured, and nothing is refused for its number. */
export const settings: Environment = {
  ...noRateLimits,
  TIMING_PROFILE: 'sandbox',
  ACCESS_WAIT_MS: '86400000',
  WORKER_POLL_MS: '60000',
  METRICS_INTERVAL_MS: '600000',
};

/** What the bodies of a route cost. */
export interface OfRoute {
  readonly route: Route;
  /** A body that the route takes. */
  readonly valid?: Measured;
  readonly bodies: readonly Measured[];
}

interface Measuring {
  /** So many calls of each body; the least counts. */
  readonly times: number;
  /** A body that takes no longer at the first call is not sent again. */
  readonly limitMs: number;
  readonly print: (line: string) => void;
}

/** Calls before the first that counts, so that all that is measured is compiled. */
const WARM_UPS = 20;

/** Sends the worst bodies of every endpoint to a service that does nothing else. */
export async function worstOfAll(service: Service, measuring: Measuring): Promise<OfRoute[]> {
  const meter = new Meter(service);
  const results: OfRoute[] = [];
  for (const route of routesOf(await someMpid(meter))) {
    measuring.print(route.name);
    results.push(await worstOf(route, meter, measuring));
  }
  return results;
}

async function worstOf(route: Route, meter: Meter, { times, limitMs }: Measuring): Promise<OfRoute> {
  const { valid: make, mostBytes } = route;
  const own: Body | undefined = make && { route, name: 'as it should be', text: () => make(mostBytes) };
  for (let n = 0; n < WARM_UPS; n += 1) await (await meter.send(own ?? { route, text: () => '{}' })).arrayBuffer();
  const valid = own && (await meter.leastOf(own, times));
  const bodies: Measured[] = [];
  for (const body of worstBodies(route)) {
    const first = await meter.leastOf(body, 1);
    bodies.push(first.cpuMs > limitMs && times > 1 ? lesser(first, await meter.leastOf(body, times - 1)) : first);
  }
  return { route, ...(valid && { valid }), bodies };
}

async function someMpid(meter: Meter): Promise<string> {
  const route: Route = { name: 'identify', method: 'POST', path: '/v1/identify', mostBytes: 0, places: [] };
  const answer = await meter.send({
    route,
    text: () => JSON.stringify({ user_identities: { customer_id: 'bodies' } }),
  });
  return ((await answer.json()) as { mpid: string }).mpid;
}

import type { Service } from '../e2e/service';
import type { BesideOperators, ConsoleMeasured } from './console-result';
import { withHelper, type HelperProcess } from './helper-process';
import type { OperatorTasks } from './operators';
import { listeningPorts } from './listening-ports';
import { cpuMsOfService } from './result';
import { statusFaults, withCpu, withService, type Rig } from './rig';
import { untilIdle } from './settle';
import { addRequests, beginSession } from './stored';

const OPERATORS = 20;
/** Somebody who looks at pages: each shows a list or numbers, which are read again as requests change. */
const EVERY_MS = 5_000;
/** While calls are timed, they come closer. */
const TIMED_EVERY_MS = 1_000;
const SESSION_MS = 3_600_000;
const LIVES_PER_SECOND = 20;
const LONGEST_SETTLE_MS = 120_000;
const LONGEST_START_MS = 20_000;

const PATHS = {
  overview: '/overview',
  counts: '/request-counts',
  'requests, newest': '/requests?limit=100',
  'requests by legal date': '/requests?order=due&limit=100',
  'requests by their end': '/requests?order=ended&limit=100',
  'requests, pending': '/requests?status=pending&limit=100',
  'requests, failing callbacks': '/requests?callbacks=failing&limit=100',
  'requests, older than 30 days': '/requests?older_than=30d&limit=100',
  'requests, erasures of 30 days': '/requests?type=erasure&older_than=30d&limit=100',
  'audit trail': '/audit?limit=100',
  'parked records': '/parked?limit=100',
};

/** Nothing of what is stored starts. What lives begins at once; what is only created waits, or its life would be measured too. */
const settings = {
  ...{ TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1s', ERASURE_WAIT_MS: '1h' },
  ...{ OPERATOR_PORT: '0', OPERATOR_URL: 'http://localhost' },
  ...{ OPERATOR_OIDC_ISSUER: 'https://idp.example.com', OPERATOR_OIDC_CLIENT_ID: 'bench', OPERATOR_ROLES: 'a=admin' },
  ...{ OPERATOR_OIDC_AUDIENCE: 'operators', RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE: '0' },
};

/** What operators get while so many requests are stored, and what creates and whole lives lose beside them. */
export const measureConsole = (rig: Rig, requests: number): Promise<ConsoleMeasured> =>
  withHelper('operators', (operators: HelperProcess<OperatorTasks>) =>
    withService(rig, settings, async (service) => {
      await untilIdle(LONGEST_START_MS);
      rig.say(`${String(requests)} requests are stored`);
      await addRequests(service.stores, requests);
      await untilIdle(LONGEST_SETTLE_MS);
      const baseUrl = await operatorUrlOf(service);
      const sessions: string[] = [];
      while (sessions.length < OPERATORS) sessions.push(await beginSession(service.stores, SESSION_MS));
      const look = (durationMs: number, everyMs: number) =>
        operators.ask('look', { baseUrl, sessions, durationMs, everyMs, paths: PATHS });
      rig.say('operators');
      await look(TIMED_EVERY_MS * Object.keys(PATHS).length, TIMED_EVERY_MS);
      const looked = await look(rig.windowMs, TIMED_EVERY_MS);
      const beside = () => look(rig.windowMs, EVERY_MS);
      return {
        ...{ requests, operators: OPERATORS, everyMs: TIMED_EVERY_MS, calls: looked.spreads },
        creates: await withAndWithout(() => createsOf(rig), beside),
        lives: await withAndWithout(() => livesOf(rig), beside),
        faults: statusFaults(looked.errors, 200),
      };
    }),
  );

type Rate = BesideOperators['alone'];

/** So often each by turns, because a machine is not the same all the time. */
const TURNS = 4;

async function withAndWithout(work: () => Promise<Rate>, beside: () => Promise<unknown>): Promise<BesideOperators> {
  const rates: { readonly alone: Rate[]; readonly beside: Rate[] } = { alone: [], beside: [] };
  await work();
  for (let n = 0; n < TURNS; n += 1) {
    await untilIdle(LONGEST_SETTLE_MS);
    rates.alone.push(await work());
    await untilIdle(LONGEST_SETTLE_MS);
    const [rate] = await Promise.all([work(), beside()]);
    rates.beside.push(rate);
  }
  return { alone: meanOf(rates.alone), beside: meanOf(rates.beside) };
}

const meanOf = (rates: readonly Rate[]): Rate => ({
  perSecond: rates.reduce((sum, { perSecond }) => sum + perSecond, 0) / rates.length,
  cpuMs: rates.reduce((sum, { cpuMs = NaN }) => sum + cpuMs, 0) / rates.length,
});

async function createsOf({ generator, windowMs }: Rig): Promise<Rate> {
  const created = await withCpu(() => generator.ask('creates', { durationMs: windowMs, type: 'erasure' }));
  return { perSecond: created.perSecond, cpuMs: cpuMsOfService(created.cpuMsFor(created.count)) };
}

async function livesOf({ generator, windowMs }: Rig): Promise<Rate> {
  const held = await withCpu(() =>
    generator.ask('hold', { perSecond: LIVES_PER_SECOND, durationMs: windowMs, followMs: LONGEST_SETTLE_MS }),
  );
  const perSecond = (held.admitted / windowMs) * 1_000;
  return { perSecond, cpuMs: cpuMsOfService(held.cpuMsFor(held.admitted)) };
}

/** The listener that knows the operator's API, of whichever process. */
async function operatorUrlOf({ parts }: Pick<Service, 'parts'>): Promise<string> {
  for (const { pid } of parts())
    for (const port of await listeningPorts(pid)) {
      const url = `http://127.0.0.1:${String(port)}`;
      const answer = await fetch(`${url}/operator/v1/session`).catch(() => undefined);
      if (answer?.status === 401) return url;
    }
  throw new Error('no process serves the operator’s API');
}

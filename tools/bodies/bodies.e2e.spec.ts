import { startStandalone } from '../e2e/standalone';
import type { Service } from '../e2e/service';
import { describeInFull } from '../e2e/full';
import { settings, worstOfAll, type OfRoute } from './worst-of-all';

/**
 * What a body may cost, in times of a create that is taken and as long as it may be; a longer body may cost more by its length.
 * Chunks of 16 bytes took four to six and a half. Before lists were counted first, some bodies took forty.
 */
const MOST_TIMES = 8;
const DEADLINE_MS = 900_000;

describeInFull('the worst bodies', () => {
  let service: Service;
  let results: readonly OfRoute[];
  beforeAll(async () => {
    service = await startStandalone(settings);
    // Of what seems dear the least of several calls counts: the machine may have been busy.
    results = await worstOfAll(service, {
      times: 8,
      limitMs: 100,
      print: () => undefined,
    });
  }, DEADLINE_MS);
  afterAll(() => service.stop());

  it('no body of any endpoint costs many times as much as a create of the same size that is taken', () => {
    const reference = results.find(({ route }) => route.name === 'v2 create')?.valid;
    expect(reference?.status).toBe(201);
    expect(reference?.cpuMs).toBeGreaterThan(1);
    const { cpuMs: onceMs, bytes: once } = reference ?? { cpuMs: 0, bytes: 1 };
    const times = results.flatMap(({ route, bodies, valid }) =>
      [...bodies, ...(valid ? [valid] : [])].map(({ body, cpuMs, bytes }) => ({
        what: `${route.name}, ${body.name}`,
        times: cpuMs / (onceMs * Math.max(1, bytes / once)),
      })),
    );
    expect(times.length).toBeGreaterThan(300);
    expect(times.filter((one) => one.times > MOST_TIMES)).toEqual([]);
  });

  it('the bodies that are compared are as long as the endpoint takes, and those that should be taken are', () => {
    const short = results.flatMap(({ route, bodies }) =>
      bodies
        .filter(({ bytes, body }) => bytes < route.mostBytes * 0.85 && !body.name.includes('too deep'))
        .map(({ bytes, body }) => `${route.name}, ${body.name}: ${bytes}`),
    );
    expect(short).toEqual([]);
    expect(
      results
        .filter(({ route, valid }) => !['/v1/search', 'exports'].includes(route.name) && valid && valid.status >= 300)
        .map(({ route }) => route.name),
    ).toEqual([]);
  });
});

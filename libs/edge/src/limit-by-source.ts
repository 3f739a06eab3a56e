import type { FastifyRequest } from 'fastify';
import type { EdgeAdapter } from './adapter';
import { ApiError, tooManyRequests } from './api-error';
import { beforeBody } from './before-body';

/** Counts calls by source address: returns 0 or the milliseconds to wait. */
interface CountsSources {
  takeToken(address: string): number;
}

const counted = new WeakSet<FastifyRequest>();

export function expectRoom(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(waitMs / 1_000);
}

/** Limits calls without credentials, on paths that `applies` selects. A call counts once, in any number of services. */
export function limitBySource(adapter: EdgeAdapter, applies: (path: string) => boolean, sources: CountsSources): void {
  beforeBody(adapter, applies, (http) => {
    if (counted.has(http)) return;
    counted.add(http);
    expectRoom(sources.takeToken(http.ip));
  });
}

/** Counts failed credentials by source; beyond its budget they get 429. Right credentials from the same address still work. */
export async function limitFailures(
  http: FastifyRequest,
  failures: CountsSources,
  prove: () => Promise<void>,
): Promise<void> {
  try {
    await prove();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403))
      expectRoom(failures.takeToken(http.ip));
    throw error;
  }
}

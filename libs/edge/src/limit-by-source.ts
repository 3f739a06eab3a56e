import type { FastifyRequest } from 'fastify';
import type { EdgeAdapter } from './adapter';
import { ApiError, tooManyRequests } from './api-error';
import { beforeBody } from './before-body';

/** Counts calls by the address they come from: answers 0, or how many milliseconds to wait. */
export interface CountsSources {
  takeToken(address: string): number;
}

const counted = new WeakSet<FastifyRequest>();

/** Throws the 429 of a budget that says to wait; 0 passes. */
export function expectRoom(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(waitMs / 1_000);
}

/**
 * Limits what asks for no credentials, on the paths that `applies` chooses. A call counts once, however many services
 * of a process limit its path.
 */
export function limitBySource(adapter: EdgeAdapter, applies: (path: string) => boolean, sources: CountsSources): void {
  beforeBody(adapter, applies, (http) => {
    if (counted.has(http)) return;
    counted.add(http);
    expectRoom(sources.takeToken(http.ip));
  });
}

/**
 * Lets a caller prove itself; one that fails counts against its source, and beyond that source's budget it is told 429
 * in place of 401 or 403.
 * Failures alone are refused: behind one address a broken client must not lock out those that have the right credentials.
 */
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

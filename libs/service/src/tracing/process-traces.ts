import type { Values, traceSettings } from '@opendsr-service/config';

export type TraceValues = Values<typeof traceSettings>;

export interface Tracing {
  /** Sends what waits, for at most so long, and lets go; it never rejects. */
  readonly stop: (withinMs: number) => Promise<void>;
}

export const untraced: Tracing = { stop: () => Promise.resolve() };

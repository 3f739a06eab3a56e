import type { Values, traceSettings } from '@opendsr-service/config';

export type TraceValues = Values<typeof traceSettings>;

export interface Tracing {
  /** Exports waiting spans within this time, then closes; never rejects. */
  readonly stop: (withinMs: number) => Promise<void>;
}

export const untraced: Tracing = { stop: () => Promise.resolve() };

import type { SourceCallBudget, RateLimits, WorkspaceBudget } from '@opendsr-service/workspaces';

/** See protocol, "Limits"; docs/limits.md. */
export interface GatewayLimits {
  readonly calls: WorkspaceBudget;
  /** By UTC day. */
  readonly creates: WorkspaceBudget;
  /** Calls without credentials. */
  readonly sources: SourceCallBudget;
  readonly authFailures: SourceCallBudget;
}

export type LimitValues = Readonly<
  Record<
    | 'RATE_LIMIT_CALLS_PER_MINUTE'
    | 'RATE_LIMIT_CREATES_PER_DAY'
    | 'RATE_LIMIT_SOURCE_CALLS_PER_MINUTE'
    | 'RATE_LIMIT_AUTH_FAILURES_PER_MINUTE',
    number
  >
>;

export const gatewayLimits = (limits: RateLimits, values: LimitValues): GatewayLimits => ({
  calls: limits.perMinute('calls', values.RATE_LIMIT_CALLS_PER_MINUTE),
  creates: limits.perDay('creates', values.RATE_LIMIT_CREATES_PER_DAY),
  sources: limits.bySource('sources', values.RATE_LIMIT_SOURCE_CALLS_PER_MINUTE),
  authFailures: limits.bySource('auth_failures', values.RATE_LIMIT_AUTH_FAILURES_PER_MINUTE),
});

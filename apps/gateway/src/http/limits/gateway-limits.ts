import type { RateLimits } from '@opendsr-service/workspaces';
import type { SharedValues } from '../../gateway.config';

export type GatewayLimits = ReturnType<typeof gatewayLimits>;

/** See protocol, "Limits"; docs/limits.md. */
export const gatewayLimits = (limits: RateLimits, values: SharedValues) => ({
  calls: limits.perMinute('calls', values.RATE_LIMIT_CALLS_PER_MINUTE),
  /** By UTC day. */
  creates: limits.perDay('creates', values.RATE_LIMIT_CREATES_PER_DAY),
  /** Calls without credentials. */
  sources: limits.bySource('sources', values.RATE_LIMIT_SOURCE_CALLS_PER_MINUTE),
  authFailures: limits.bySource('auth_failures', values.RATE_LIMIT_AUTH_FAILURES_PER_MINUTE),
});

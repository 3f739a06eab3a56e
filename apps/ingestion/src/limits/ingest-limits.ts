import type { ingestRateLimitSettings, Values } from '@opendsr-service/config';
import type { SourceCallBudget, RateLimits, WorkspaceBudget } from '@opendsr-service/workspaces';

/** Protocol, "429"; docs/limits.md. */
export interface IngestLimits {
  readonly calls: WorkspaceBudget;
  readonly sources: SourceCallBudget;
  readonly authFailures: SourceCallBudget;
}

export const ingestLimits = (limits: RateLimits, values: Values<typeof ingestRateLimitSettings>): IngestLimits => ({
  calls: limits.perMinute('ingest_calls', values.RATE_LIMIT_INGEST_CALLS_PER_MINUTE),
  sources: limits.bySource('sources', values.RATE_LIMIT_SOURCE_CALLS_PER_MINUTE),
  authFailures: limits.bySource('ingest_auth_failures', values.RATE_LIMIT_AUTH_FAILURES_PER_MINUTE),
});

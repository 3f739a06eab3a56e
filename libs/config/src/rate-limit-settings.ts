import { int } from './parsers';

const MOST = 10_000_000;
const rate = <const D extends number>(standard: D, meaning: string) =>
  int({ default: standard, min: 0, max: MOST, meaning: `${meaning} 0: no limit.` });

/** Limits by source address, counted in each process. */
const sourceRateSettings = {
  RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: rate(
    600,
    'Calls without credentials (discovery, certificates, results links, documents, transparency log) of one source ' +
      'address, IPv6 by /64, a minute and process; more are answered with 429.',
  ),
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: rate(
    60,
    'Failed authentications of one source address, a minute and process; further ones ' +
      'are answered with 429 in place of 401 or 403. Right credentials still pass.',
  ),
} as const;

export const rateLimitSettings = {
  RATE_LIMIT_CALLS_PER_MINUTE: rate(
    1_000,
    'Calls of a workspace to the endpoints of requests, GET, POST and DELETE together, a minute over ' +
      'all processes; more are answered with 429.',
  ),
  RATE_LIMIT_CREATES_PER_DAY: rate(
    80_000,
    'Requests that a workspace may create in a UTC day, over all processes; more are answered with 429 until midnight.',
  ),
  ...sourceRateSettings,
} as const;

export const ingestRateLimitSettings = {
  RATE_LIMIT_INGEST_CALLS_PER_MINUTE: rate(
    60_000,
    'Calls of a workspace to the identity and events endpoints, a minute over all processes; more are answered with 429.',
  ),
  ...sourceRateSettings,
} as const;

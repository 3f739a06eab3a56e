import { callbackDispatcherTable } from '@opendsr-service/callback-dispatcher/config';
import { gatewayTable } from '@opendsr-service/gateway/config';
import { ingestionTable } from '@opendsr-service/ingestion/config';
import { requestTable } from '@opendsr-service/request/config';
import { resultsTable } from '@opendsr-service/results/config';
import { readSettings } from '@opendsr-service/config';
import { WAITS_MS } from './waits';

const every = {
  ...{
    ACCESS_WAIT_MS: `${WAITS_MS.access}ms`,
    PORTABILITY_WAIT_MS: `${WAITS_MS.portability}ms`,
    ERASURE_WAIT_MS: `${WAITS_MS.erasure}ms`,
    ERASURE_SECOND_PASS_MS: '10s',
  },
  ...{
    CALLBACK_TICK_MS: '5s',
    CALLBACK_SPREAD_MS: '2s',
    CALLBACK_BREAKER_PAUSE_MS: '5s',
    CALLBACK_RETRY_GAPS_MS: '5s,10s,20s',
    RELAY_FIRST_GAP_MS: '5s',
    RELAY_LONGEST_GAP_MS: '40s',
  },
  // Nothing in a world asks the network, whose answers would differ from run to run.
  ...{ CALLBACK_RESOLVE_AT_CREATE_MS: '0' },
  ...{ WORKER_POLL_MS: '3s', RELAY_POLL_MS: '5s', SWEEP_POLL_MS: '60s', METRICS_INTERVAL_MS: '60s' },
  ...{
    RATE_LIMIT_CALLS_PER_MINUTE: '0',
    RATE_LIMIT_CREATES_PER_DAY: '0',
    RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '0',
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
    RATE_LIMIT_INGEST_CALLS_PER_MINUTE: '0',
  },
};

/** What every process of a world reads: times such that a life takes minutes, and no limit on calls. */
export const settings = readSettings(
  { ...gatewayTable, ...requestTable, ...callbackDispatcherTable, ...resultsTable, ...ingestionTable },
  every,
);

import { defaultLimits, type HttpLimits, isNetwork } from '@opendsr-service/edge';
import { int, list, port, text, timerMs } from './parsers';
import type { Values } from './setting';

const LEAST_METRICS_INTERVAL_MS = 50;
const LEAST_ARRIVAL_MS = 1_000;
/** The operator’s API writes to a quiet stream every 15 s. */
const LEAST_ANSWER_TIMEOUT_MS = 20_000;

export const httpSettings = {
  HOST: text({ default: '127.0.0.1', meaning: 'Address that both listeners bind to; 0.0.0.0 in containers.' }),
  PORT: port({ default: 8080, meaning: 'Public HTTP.' }),
  ADMIN_PORT: port({ default: 9090, meaning: 'Health, metrics and internal routes.' }),
  METRICS_INTERVAL_MS: timerMs({
    min: LEAST_METRICS_INTERVAL_MS,
    default: 15_000,
    meaning:
      'How often the stores are queried for metrics; no more often than Prometheus scrapes. A metric whose queries take more than a hundredth of the time is queried less often, but at least every fourth time.',
  }),
  HTTP_BODY_LIMIT_BYTES: int({
    default: defaultLimits.bodyBytes,
    min: 1024,
    max: 16_777_216,
    meaning: 'Largest body of a request; more is answered with 413.',
  }),
  HTTP_BODIES_LIMIT_BYTES: int({
    default: defaultLimits.bodiesBytes,
    min: 16_777_216,
    max: 17_179_869_184,
    meaning:
      'Memory for bodies that are still arriving, of all public listeners of the process together; beyond it the call ' +
      'whose body has been arriving for the longest time is refused with 503. The admin listener has no limit.',
  }),
  HTTP_HEADER_LIMIT_BYTES: int({
    default: defaultLimits.headerBytes,
    min: 4096,
    max: 65_536,
    meaning: 'Largest headers of a request; more is answered with 431.',
  }),
  HTTP_HEADERS_TIMEOUT_MS: timerMs({
    min: LEAST_ARRIVAL_MS,
    default: defaultLimits.headersTimeoutMs,
    meaning: 'Time for the headers of a request to arrive, else 408.',
  }),
  HTTP_REQUEST_TIMEOUT_MS: timerMs({
    min: LEAST_ARRIVAL_MS,
    default: defaultLimits.requestTimeoutMs,
    meaning: 'Time for a whole request to arrive, else 408.',
  }),
  HTTP_ANSWER_TIMEOUT_MS: timerMs({
    min: LEAST_ANSWER_TIMEOUT_MS,
    default: defaultLimits.answerTimeoutMs,
    meaning:
      'How long nothing of an answer may be sent, because the caller reads nothing or the service has nothing; then the ' +
      'connection is closed. Longer than HTTP_REQUEST_TIMEOUT_MS. The admin listener has no limit.',
  }),
  HTTP_KEEP_ALIVE_MS: timerMs({
    min: LEAST_ARRIVAL_MS,
    default: defaultLimits.keepAliveTimeoutMs,
    meaning: 'How long an idle connection is kept; longer than the load balancer in front does.',
  }),
  HTTP_JSON_DEPTH_LIMIT: int({
    default: defaultLimits.jsonDepth,
    min: 8,
    max: 64,
    meaning: 'Deepest nesting of a JSON body; deeper is answered with 400.',
  }),
  HTTP_JSON_KEYS_LIMIT: int({
    default: defaultLimits.jsonKeys,
    min: 100,
    max: 1_000_000,
    meaning: 'Most keys in a JSON body, over all its objects; more is answered with 400.',
  }),
  HTTP_CONNECTIONS_LIMIT: int({
    default: defaultLimits.connections,
    min: 1,
    max: 1_000_000,
    meaning:
      'Most connections of all public listeners of the process together; more are refused with 503. The admin listener has no limit.',
  }),
  HTTP_CONNECTIONS_PER_ADDRESS_LIMIT: int({
    default: defaultLimits.connectionsPerAddress,
    min: 0,
    max: 1_000_000,
    meaning:
      'Most connections of one peer address; more are refused with 503. ' +
      'Addresses of TRUSTED_PROXIES are exempt. 0: no limit.',
  }),
  HTTP_CALLS_LIMIT: int({
    default: defaultLimits.calls,
    min: 1,
    max: 1_000_000,
    meaning:
      'Most calls that the process works on at the same time; more are refused with 503 before their body is read. ' +
      'The admin listener has no limit.',
  }),
  TRUSTED_PROXIES: list(
    { meaning: 'Proxies whose X-Forwarded-For is trusted; it is ignored from any other address.' },
    isNetwork,
    'an address, or a range such as 10.0.0.0/8',
  ),
} as const;

type Http = Values<typeof httpSettings>;

export const httpLimitsOf = (values: Http): HttpLimits => ({
  ...defaultLimits,
  bodyBytes: values.HTTP_BODY_LIMIT_BYTES,
  bodiesBytes: values.HTTP_BODIES_LIMIT_BYTES,
  headerBytes: values.HTTP_HEADER_LIMIT_BYTES,
  headersTimeoutMs: values.HTTP_HEADERS_TIMEOUT_MS,
  requestTimeoutMs: values.HTTP_REQUEST_TIMEOUT_MS,
  answerTimeoutMs: values.HTTP_ANSWER_TIMEOUT_MS,
  keepAliveTimeoutMs: values.HTTP_KEEP_ALIVE_MS,
  jsonDepth: values.HTTP_JSON_DEPTH_LIMIT,
  jsonKeys: values.HTTP_JSON_KEYS_LIMIT,
  connections: values.HTTP_CONNECTIONS_LIMIT,
  connectionsPerAddress: values.HTTP_CONNECTIONS_PER_ADDRESS_LIMIT,
  calls: values.HTTP_CALLS_LIMIT,
});

/** Faults of the listeners' settings. Node swaps the two timeouts where the first is the longer one. */
export function checkHttp(values: Http): string[] {
  const faults: string[] = [];
  if (values.PORT !== 0 && values.PORT === values.ADMIN_PORT) faults.push('PORT and ADMIN_PORT: must differ');
  if (values.HTTP_HEADERS_TIMEOUT_MS > values.HTTP_REQUEST_TIMEOUT_MS)
    faults.push('HTTP_HEADERS_TIMEOUT_MS: must not be longer than HTTP_REQUEST_TIMEOUT_MS');
  if (values.HTTP_ANSWER_TIMEOUT_MS <= values.HTTP_REQUEST_TIMEOUT_MS)
    faults.push('HTTP_ANSWER_TIMEOUT_MS: must be longer than HTTP_REQUEST_TIMEOUT_MS');
  return faults;
}

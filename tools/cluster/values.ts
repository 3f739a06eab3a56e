import { parse, stringify } from 'yaml';
import { suiteSettings } from '../e2e/service';
import { WAIT_MS } from '../e2e/rolling/lives';
import { imageValues } from './image';
import { valuesAfter } from './page';
import type { Stores } from './stores';

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values over others, as helm merges files: objects key by key, all else as a whole. */
export function merged(values: Values, over: Values): Values {
  const entries = Object.entries(over).map(([key, value]) => {
    const under = values[key];
    return [key, isObject(under) && isObject(value) ? merged(under, value) : value];
  });
  return { ...values, ...(Object.fromEntries(entries) as Values) };
}

export interface Place {
  readonly stores: Stores;
  /** This machine as pods see it. */
  readonly hostIp: string;
  /** Where callers find the gateway. */
  readonly gatewayUrl: string;
}

/** Rounds take seconds. */
const settings = {
  ACCESS_WAIT_MS: String(WAIT_MS),
  ERASURE_WAIT_MS: String(WAIT_MS),
  PORTABILITY_WAIT_MS: suiteSettings.PORTABILITY_WAIT_MS,
  CALLBACK_TICK_MS: suiteSettings.CALLBACK_TICK_MS,
};

/** Nobody is limited. */
const unlimited = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name}`, '0']));
const ofAll = ['SOURCE_CALLS_PER_MINUTE', 'AUTH_FAILURES_PER_MINUTE'];
const gatewayLimits = unlimited(...ofAll, 'CALLS_PER_MINUTE', 'CREATES_PER_DAY');
const ingestionLimits = unlimited(...ofAll, 'INGEST_CALLS_PER_MINUTE');

const network = (cidr: string) => [{ ipBlock: { cidr } }];

/** The network that connections of this machine to pods come from. */
const callers = (hostIp: string) => network(`${hostIp}/30`);
const thisMachine = (hostIp: string) => network(`${hostIp}/32`);

/** Callers and receivers on this machine, for either form of the chart. */
export const reachableFromHere = (hostIp: string) => ({
  callbackDispatcher: { allowHosts: [hostIp] },
  networkPolicy: {
    ingressFrom: callers(hostIp),
    callbackEgress: { rules: [{ to: thisMachine(hostIp) }] },
  },
});

/** What differs here from the values of any installation. */
async function valuesHere({ stores, hostIp, gatewayUrl }: Place): Promise<Values> {
  const { username } = stores.kafkaUser;
  return merged(reachableFromHere(hostIp), {
    image: await imageValues(),
    gateway: {
      baseUrlV2: gatewayUrl,
      baseUrlV1: gatewayUrl,
      trustedProxies: [hostIp],
      settings: gatewayLimits,
      autoscaling: { mode: 'none' },
    },
    ingestion: { trustedProxies: [hostIp], settings: ingestionLimits },
    kafka: {
      brokers: stores.brokers,
      ...(stores.copies < 3 && { replication: 1, minIsr: 1 }),
      tls: { enabled: true, caSecret: { name: 'kafka-ca' } },
      sasl: { mechanism: 'scram-sha-512', username, passwordSecret: { name: 'opendsr-kafka' } },
    },
    mongodb: { uriSecret: { name: 'opendsr-mongodb' }, tls: { caSecret: { name: 'mongodb-ca' } } },
    callbackDispatcher: { caSecret: { name: 'opendsr-trust' } },
    operatorJob: { trustSecret: { name: 'opendsr-trust' } },
    networkPolicy: {
      monitoringFrom: callers(hostIp),
      kafka: { to: thisMachine(hostIp) },
      mongodb: { to: thisMachine(hostIp), ports: stores.mongodbPorts },
    },
  });
}

/** Each start of a pod takes four seconds of a processor. */
const onePodEach = { replicas: 1 };

/** The values of docs/kubernetes.md with the addresses of this machine. */
export async function productionValues(place: Place): Promise<string> {
  const page = parse(await valuesAfter('**3. Values.**')) as Values;
  const resources = { requests: { cpu: '50m', memory: '192Mi' } };
  const quick = {
    defaults: { timingProfile: 'sandbox', resources, settings, ...(place.stores.copies < 3 && onePodEach) },
    gateway: { resources },
  };
  return stringify(merged(merged(page, await valuesHere(place)), quick));
}

/** Over `sandbox-values.yaml`: the addresses of this machine alone. */
export async function trialValues(place: Place): Promise<string> {
  // Its master key is another one.
  const prefixes = { kafka: { topicPrefix: 'trial.' }, mongodb: { databasePrefix: 'trial_' } };
  return stringify(merged(await valuesHere(place), prefixes));
}

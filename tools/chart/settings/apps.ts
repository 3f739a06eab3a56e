import { callbackDispatcherTable, checkCallbackDispatcher } from '@opendsr-service/callback-dispatcher/config';
import { checkGateway, gatewayTable } from '@opendsr-service/gateway/config';
import { checkIngestion, ingestionTable } from '@opendsr-service/ingestion/config';
import { checkRequest, requestTable } from '@opendsr-service/request/config';
import { checkResults, resultsTable } from '@opendsr-service/results/config';
import { checkStandalone, standaloneTable } from '@opendsr-service/standalone/config';
import {
  checkKafka,
  kafkaSettings,
  processSettings,
  readSettings,
  type Environment,
  type Table,
  type Values,
} from '@opendsr-service/config';

/** What an app reads, and how it reads it. */
interface AppSettings {
  readonly table: Table;
  /** Throws a ConfigurationError that names each fault, as the process would. */
  readonly read: (env: Environment) => void;
}

function program<T extends Table>(table: T, check: (values: Values<T>) => readonly string[]): AppSettings {
  return { table, read: (env) => void readSettings(table, env, check) };
}

function app<T extends Table>(table: T, check: (values: Values<T>) => readonly string[]): AppSettings {
  const [own, process] = [program(table, check), program(processSettings, () => [])];
  return {
    table: { ...own.table, ...process.table },
    read: (env) => {
      own.read(env);
      process.read(env);
    },
  };
}

/** The five apps by the name with which the image starts them. */
export const APPS: Readonly<Record<string, AppSettings>> = {
  gateway: app(gatewayTable, checkGateway),
  request: app(requestTable, checkRequest),
  'callback-dispatcher': app(callbackDispatcherTable, checkCallbackDispatcher),
  results: app(resultsTable, checkResults),
  ingestion: app(ingestionTable, checkIngestion),
};

/** All five in one process, on embedded stores. */
export const STANDALONE = app(standaloneTable, checkStandalone);

/** The command of the topics Job, which reaches only Kafka. */
const TOPICS_APPLY = program(kafkaSettings, (values) => [
  ...checkKafka(values),
  ...(values.KAFKA_BROKERS.length > 0 ? [] : ['KAFKA_BROKERS: must be set']),
]);

/** The command of the test's pod, which reads no settings. */
const API_CHECK = program({}, () => []);

/** What the operator's Job runs: it examines the settings of all five apps, and works with their stores. */
const DSR: AppSettings = {
  table: Object.assign({}, ...Object.values(APPS).map(({ table }) => table)) as Table,
  read: (env) => Object.values(APPS).forEach(({ read }) => read(env)),
};

const isEmbedded = (given: readonly string[]): boolean => given.includes('DATA_DIR');

function commandOf(words: string, given: readonly string[]): AppSettings {
  if (words === 'topics apply') return TOPICS_APPLY;
  if (words.startsWith('api check ')) return API_CHECK;
  return isEmbedded(given) ? STANDALONE : DSR;
}

/** What the image runs with these arguments and these variables. */
export function programOf(
  [app = '', ...words]: readonly string[] = [],
  given: readonly string[] = [],
): AppSettings | undefined {
  if (app === 'dsr' && words.length > 0) return commandOf(words.join(' '), given);
  if (words.length > 0) return undefined;
  return app === 'standalone' ? STANDALONE : APPS[app];
}

import { callbackDispatcherTable, checkCallbackDispatcher } from '@opendsr-service/callback-dispatcher/config';
import { checkGateway, gatewayTable } from '@opendsr-service/gateway/config';
import { checkIngestion, ingestionTable } from '@opendsr-service/ingestion/config';
import { checkRequest, requestTable } from '@opendsr-service/request/config';
import { checkResults, resultsTable } from '@opendsr-service/results/config';
import { checkKafka, kafkaSettings, processSettings, readSettings, type Environment, type Table, type Values } from '@opendsr-service/runtime';

/** What an app reads, and how it reads it. */
export interface AppSettings {
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

/** What the topics Job runs. It reaches Kafka alone. */
const TOPICS_APPLY = program(kafkaSettings, (values) => [...checkKafka(values), ...(values.KAFKA_BROKERS.length > 0 ? [] : ['KAFKA_BROKERS: must be set'])]);

/** What the image runs with these arguments. */
export const programOf = (args: readonly string[] = []): AppSettings | undefined => (args.join(' ') === 'dsr topics apply' ? TOPICS_APPLY : args.length === 1 ? APPS[args.join()] : undefined);

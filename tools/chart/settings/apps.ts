import { callbackDispatcherTable, checkCallbackDispatcher } from '@opendsr-service/callback-dispatcher/config';
import { checkGateway, gatewayTable } from '@opendsr-service/gateway/config';
import { checkIngestion, ingestionTable } from '@opendsr-service/ingestion/config';
import { checkRequest, requestTable } from '@opendsr-service/request/config';
import { checkResults, resultsTable } from '@opendsr-service/results/config';
import { processSettings, readSettings, type Environment, type Table, type Values } from '@opendsr-service/runtime';

/** What an app reads, and how it reads it. */
export interface AppSettings {
  readonly table: Table;
  /** Throws a ConfigurationError that names each fault, as the process would. */
  readonly read: (env: Environment) => void;
}

function app<T extends Table>(table: T, check: (values: Values<T>) => readonly string[]): AppSettings {
  return {
    table: { ...table, ...processSettings },
    read: (env) => {
      readSettings(table, env, check);
      readSettings(processSettings, env);
    },
  };
}

/** The apps of the chart by the name with which the image starts them. */
export const APPS: Readonly<Record<string, AppSettings>> = {
  gateway: app(gatewayTable, checkGateway),
  request: app(requestTable, checkRequest),
  'callback-dispatcher': app(callbackDispatcherTable, checkCallbackDispatcher),
  results: app(resultsTable, checkResults),
  ingestion: app(ingestionTable, checkIngestion),
};

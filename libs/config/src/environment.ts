import { readSettings, type Environment } from './read-settings';
import type { Table, Values } from './setting';

/** The environment of this process; only this file reads it. */
export const environment = (): Environment => process.env;

/** Reads a table from the environment of this process, for tools that are no service. Throws a ConfigurationError. */
export const readProcessSettings = <T extends Table>(
  table: T,
  check?: (values: Values<T>) => readonly string[],
): Values<T> => readSettings(table, environment(), check);

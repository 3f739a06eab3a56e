import type { Environment } from './read-settings';

/** The environment of this process: the one place that reads it. */
export const environment = (): Environment => process.env;

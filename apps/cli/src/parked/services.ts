/** The services, each with its database and with the consumer groups whose records it parks there. */
const SERVICES = {
  gateway: { database: 'gateway', groups: ['gateway'] },
  request: { database: 'request', groups: ['request'] },
  'callback-dispatcher': { database: 'callback_dispatcher', groups: ['callback-dispatcher'] },
  results: { database: 'results', groups: ['results'] },
  ingestion: { database: 'ingestion', groups: ['ingestion-data', 'ingestion-requests'] },
} as const;

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** Where records of a service are parked. */
export interface ParkedDatabase {
  readonly service: ServiceName;
  readonly database: string;
  readonly groups: readonly string[];
}

export const databaseOfService = (service: ServiceName): ParkedDatabase => ({ service, ...SERVICES[service] });

/** Where a record is parked that has this id; undefined: no service of ours has such a group. */
export const databaseOfId = (id: string): ParkedDatabase | undefined =>
  SERVICE_NAMES.map(databaseOfService).find(({ groups }) => groups.some((group) => id.startsWith(`${group}|`)));

/** The services with their databases and the consumer groups whose records they park there. */
const SERVICES = {
  gateway: { database: 'gateway', groups: ['gateway', 'evidence'] },
  request: { database: 'request', groups: ['request'] },
  'callback-dispatcher': { database: 'callback_dispatcher', groups: ['callback-dispatcher'] },
  results: { database: 'results', groups: ['results'] },
  ingestion: { database: 'ingestion', groups: ['ingestion-data', 'ingestion-requests'] },
} as const;

export type ServiceName = keyof typeof SERVICES;
export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** Where a service parks records. */
interface ParkedDatabase {
  readonly service: ServiceName;
  readonly database: string;
  readonly groups: readonly (typeof SERVICES)[ServiceName]['groups'][number][];
}

export const databaseOfService = (service: ServiceName): ParkedDatabase => ({ service, ...SERVICES[service] });

/** Where the record with this id is parked; undefined if no service has its group. */
export const databaseOfId = (id: string): ParkedDatabase | undefined =>
  SERVICE_NAMES.map(databaseOfService).find(({ groups }) => groups.some((group) => id.startsWith(`${group}|`)));

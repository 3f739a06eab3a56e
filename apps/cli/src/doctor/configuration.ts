import { ConfigurationError, type Table, type Values } from '@opendsr-service/config';
import type { Terminal } from '../command';
import { fail, ok, type Finding } from './finding';

export const SERVICES = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'] as const;
export type ServiceName = (typeof SERVICES)[number];

interface Configuration<T extends Table> {
  readonly table: T;
  readonly check: (values: Values<T>) => readonly string[];
}

interface Examined {
  readonly services: readonly ServiceName[];
  /** They run as separate services, so each needs all of its settings. */
  readonly alone: boolean;
  /** Faults of the settings that the checks need. */
  readonly own: readonly string[];
}

/** Reports each fault of the environment of these services, and of the checks, once. */
export async function configurationFindings(
  { settings }: Pick<Terminal, 'settings'>,
  { services, alone, own }: Examined,
): Promise<readonly Finding[]> {
  const faults = new Map<string, string[]>();
  const read = <T extends Table>(service: string, { table, check }: Configuration<T>): void => {
    for (const fault of faultsOf(() => settings(table, alone ? check : undefined)))
      faults.set(fault, [...(faults.get(fault) ?? []), service]);
  };
  for (const service of services) await readers[service](read);
  for (const fault of own) if (!faults.has(fault)) faults.set(fault, []);
  if (faults.size === 0)
    return [ok('configuration', alone ? `${services.join(', ')} can start with it` : 'every setting can be read')];
  return [...faults].map(([fault, who]) =>
    fail('configuration', who.length === 0 ? fault : `${who.join(', ')}: ${fault}`, 'see docs/configuration.md'),
  );
}

type Read = <T extends Table>(service: string, configuration: Configuration<T>) => void;

/** Loaded on demand: each import loads a whole service. */
const readers: Readonly<Record<ServiceName, (read: Read) => Promise<void>>> = {
  gateway: async (read) => read('gateway', (await import('@opendsr-service/gateway/operation')).configuration),
  request: async (read) => read('request', (await import('@opendsr-service/request/operation')).configuration),
  'callback-dispatcher': async (read) =>
    read('callback-dispatcher', (await import('@opendsr-service/callback-dispatcher/operation')).configuration),
  results: async (read) => read('results', (await import('@opendsr-service/results/operation')).configuration),
  ingestion: async (read) => read('ingestion', (await import('@opendsr-service/ingestion/operation')).configuration),
};

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

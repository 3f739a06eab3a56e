import {
  checkGenerations,
  checkStores,
  ConfigurationError,
  egressSettings,
  generationSettings,
  logKeySettings,
  masterKeySettings,
  publicUrlSettings,
  signingSettings,
  httpSettings,
  type Profile,
  storeSettings,
  storesOf,
  type Table,
  timingSettings,
  type Values,
  witnessSettings,
} from '@opendsr-service/config';
import type { Terminal } from '../command';

const transparency = { ...logKeySettings, ...witnessSettings } as const;
const addresses = { PORT: httpSettings.PORT, SERVE_V1: signingSettings.SERVE_V1, ...publicUrlSettings } as const;

/** Their tables differ in the default of TIMING_PROFILE alone. */
const tablesFor = (profile: Profile) => {
  const { TIMING_PROFILE } = timingSettings(profile);
  const stores = { TIMING_PROFILE, ...storeSettings } as const;
  return {
    stores,
    keys: { ...stores, ...masterKeySettings, ...generationSettings },
    egress: { TIMING_PROFILE, ...egressSettings },
  } as const;
};

type Tables = ReturnType<typeof tablesFor>;
export type StoreSettings = Values<Tables['stores']>;
export type EgressSettings = Values<Tables['egress']>;

/**
 * The settings of the checks, in parts: undefined where one of a part cannot be read. Embedded stores are a sandbox by
 * default, as for the standalone service.
 */
export interface DoctorSettings {
  readonly stores: StoreSettings | undefined;
  readonly keys: Values<Tables['keys']> | undefined;
  readonly transparency: Values<typeof transparency> | undefined;
  readonly addresses: Values<typeof addresses> | undefined;
  readonly egress: EgressSettings | undefined;
  /** Why parts are missing. */
  readonly faults: readonly string[];
}

export function doctorSettings({ settings }: Pick<Terminal, 'settings'>): DoctorSettings {
  const faults = new Set<string>();
  const read = <T extends Table>(table: T, check?: (values: Values<T>) => readonly string[]): Values<T> | undefined => {
    try {
      return settings(table, check);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return undefined;
    }
  };
  const given = read(storeSettings);
  const tables = tablesFor(given && storesOf(given).kind === 'embedded' ? 'sandbox' : 'production');
  const parts = {
    stores: read(tables.stores, (values) => checkStores(values, true)),
    keys: read(tables.keys, checkGenerations),
    transparency: read(transparency),
    addresses: read(addresses),
    egress: read(tables.egress),
  };
  return { ...parts, faults: [...faults] };
}

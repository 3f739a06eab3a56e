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
  storeSettings,
  type Table,
  timingSettings,
  type Values,
  witnessSettings,
} from '@opendsr-service/config';
import type { Terminal } from '../command';

const { TIMING_PROFILE } = timingSettings('production');
const embedded = { TIMING_PROFILE: timingSettings('sandbox').TIMING_PROFILE } as const;

const stores = { TIMING_PROFILE, ...storeSettings } as const;
const keys = { ...stores, ...masterKeySettings, ...generationSettings } as const;
const transparency = { ...logKeySettings, ...witnessSettings } as const;
const addresses = { PORT: httpSettings.PORT, SERVE_V1: signingSettings.SERVE_V1, ...publicUrlSettings } as const;
const egress = { TIMING_PROFILE, ...egressSettings } as const;

export type StoreSettings = Values<typeof stores>;
export type EgressSettings = Values<typeof egress>;

/** The settings of the checks, in parts: undefined where one of a part cannot be read. */
export interface DoctorSettings {
  readonly stores: StoreSettings | undefined;
  /** As the standalone service reads it, which is a sandbox by default. */
  readonly embeddedProfile: StoreSettings['TIMING_PROFILE'] | undefined;
  readonly keys: Values<typeof keys> | undefined;
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
  const parts = {
    stores: read(stores, (values) => checkStores(values, true)),
    embeddedProfile: read(embedded)?.TIMING_PROFILE,
    keys: read(keys, checkGenerations),
    transparency: read(transparency),
    addresses: read(addresses),
    egress: read(egress),
  };
  return { ...parts, faults: [...faults] };
}

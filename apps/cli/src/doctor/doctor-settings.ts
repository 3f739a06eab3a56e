import {
  checkGenerations,
  checkStores,
  egressSettings,
  generationSettings,
  logKeySettings,
  masterKeySettings,
  publicUrlSettings,
  signingSettings,
  httpSettings,
  storeSettings,
  timingSettings,
  type Values,
  witnessSettings,
} from '@opendsr-service/config';
import type { Terminal } from '../command';

const table = {
  TIMING_PROFILE: timingSettings('production').TIMING_PROFILE,
  PORT: httpSettings.PORT,
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
  ...logKeySettings,
  ...witnessSettings,
  SERVE_V1: signingSettings.SERVE_V1,
  ...publicUrlSettings,
  ...egressSettings,
} as const;

export type DoctorValues = Values<typeof table>;

/** Throws a ConfigurationError. */
export const doctorValues = ({ settings }: Pick<Terminal, 'settings'>): DoctorValues =>
  settings(table, (read) => [...checkStores(read, true), ...checkGenerations(read)]);

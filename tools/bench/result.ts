import { faultsOfCallbacks, type CallbacksResult } from './callbacks-result';
import type { ConsoleMeasured } from './console-result';
import { faultsOfData, type DataResult } from './data';
import { faultsOfOverload, type OverloadMeasured } from './overload-result';
import type { GrownMeasured } from './grown-result';
import type { OperationsMeasured } from './operations-result';
import { ratios, type Floor } from './floor-ratios';
import type { StartMeasured } from './start-result';
import type { StoresUse } from './stores-use';
import type { Spread } from './statistics';

export type FormName = 'embedded' | 'servers';

/** A rate and how long one of its things takes. */
export interface Measured {
  readonly perSecond: number;
  readonly spread: Spread | null;
  /** What should not have happened, and how often. Empty in a good run. */
  readonly faults: readonly string[];
  /** CPU milliseconds of each part for one of the things; empty where the kernel does not say. */
  readonly cpuMsEach: Readonly<Record<string, number>>;
}

/** What plays the callers, and not the service or its servers. */
const CALLERS: readonly string[] = ['generator', 'callback-receivers', 'operators'];

/** CPU milliseconds of all processes and servers for one thing; undefined where the kernel does not say. */
export function cpuMsOfService(cpuMsEach: Measured['cpuMsEach']): number | undefined {
  const parts = Object.entries(cpuMsEach).filter(([part]) => !CALLERS.includes(part));
  return parts.length > 0 ? parts.reduce((sum, [, cpuMs]) => sum + cpuMs, 0) : undefined;
}

export interface FormResult {
  readonly form: FormName;
  /** `settledS`: how long the services went on working after the window. `stores`: what one of them made the servers do. */
  readonly creates: (Measured & { readonly settledS: number; readonly stores: StoresUse | null }) | null;
  readonly reads: Measured | null;
  /** Creates at a rate far below what the service can do. */
  readonly steady: Measured | null;
  readonly lives: (Measured & { readonly stores: StoresUse | null }) | null;
  /** CPU milliseconds a second of each part while nobody calls. */
  readonly idle: Readonly<Record<string, number>> | null;
  readonly callbacks: CallbacksResult | null;
  readonly overload: OverloadMeasured | null;
  /** Only of the form on servers. */
  readonly operations: OperationsMeasured | null;
  readonly data: DataResult | null;
  /** Null or absent, as below: not measured. */
  readonly console?: ConsoleMeasured | null;
  readonly grown?: GrownMeasured | null;
  /** Only of the embedded form. */
  readonly start?: StartMeasured | null;
}

export interface BenchResult {
  readonly startedAt: string;
  /** What was measured, as git names it; null: outside of a working copy. */
  readonly commit: string | null;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGib: number; readonly node: string };
  readonly seconds: number;
  /** Settings that differ from what a service has of itself. */
  readonly settings: Readonly<Record<string, string>>;
  /** How many gateways and how many request services the form on servers had. */
  readonly replicas: number;
  readonly floor: Floor;
  readonly forms: readonly FormResult[];
}

/** What has one rate each. */
export const RATES = ['creates', 'reads', 'steady', 'lives'] as const;
export type Rate = (typeof RATES)[number];

export const MEASUREMENTS = [
  ...RATES,
  'idle',
  'overload',
  'callbacks',
  'operations',
  'console',
  'grown',
  'start',
] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

/** What the file holds: everything that was measured, with its ratios. */
export const toJson = ({ forms, ...rest }: BenchResult) => {
  const withRatio = <T extends { readonly perSecond: number }>(measured: T) => ({
    ...measured,
    ratioToFloor: ratios(measured.perSecond, rest.floor),
  });
  return {
    ...rest,
    forms: forms.map(({ form, data, callbacks, overload, operations, idle, console, grown, start, ...measured }) => ({
      form,
      data,
      ...(console && { console }),
      ...(grown && { grown }),
      ...(start && { start }),
      idle,
      overload,
      operations,
      ...Object.fromEntries(RATES.map((name) => [name, measured[name] && withRatio(measured[name])])),
      callbacks: callbacks && { ...callbacks, drains: callbacks.drains.map(withRatio) },
    })),
  };
};

/** Everything that should not have happened, for the end of a run. */
export const faultsOf = ({ forms }: BenchResult): string[] =>
  forms.flatMap((form) => [
    ...RATES.flatMap((name) => (form[name]?.faults ?? []).map((fault) => `${form.form}, ${name}: ${fault}`)),
    ...(form.overload ? faultsOfOverload(form.overload) : []).map((fault) => `${form.form}, overload: ${fault}`),
    ...(form.callbacks ? faultsOfCallbacks(form.callbacks) : []).map((fault) => `${form.form}, callbacks, ${fault}`),
    ...(form.console?.faults ?? []).map((fault) => `${form.form}, console: ${fault}`),
    ...(form.grown ?? []).flatMap(({ faults }) => faults.map((fault) => `${form.form}, grown: ${fault}`)),
    ...(form.data ? faultsOfData(form.data) : []).map((fault) => `${form.form}, ${fault}`),
  ]);

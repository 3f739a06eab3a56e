import { faultsOfData, type DataResult } from './data';
import type { Spread } from './statistics';

export type FormName = 'embedded' | 'servers';

/** Signatures a second that this machine can make: what everything is measured against. */
export interface Floor {
  readonly oneCorePerSecond: number;
  readonly allCoresPerSecond: number;
}

/** A rate and how long one of its things takes. */
export interface Measured {
  readonly perSecond: number;
  readonly spread: Spread | null;
  /** What should not have happened, and how often. Empty in a good run. */
  readonly faults: readonly string[];
  /** CPU milliseconds of each part for one of the things; empty where the kernel does not say. */
  readonly cpuMsEach: Readonly<Record<string, number>>;
}

export interface FormResult {
  readonly form: FormName;
  /** `settledS`: how long the services went on working after the window. */
  readonly creates: (Measured & { readonly settledS: number }) | null;
  readonly reads: Measured | null;
  readonly lives: Measured | null;
  readonly callbacks: Measured | null;
  readonly data: DataResult | null;
}

export interface BenchResult {
  readonly startedAt: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGib: number; readonly node: string };
  readonly seconds: number;
  /** Settings that differ from what a service has of itself. */
  readonly settings: Readonly<Record<string, string>>;
  readonly floor: Floor;
  readonly forms: readonly FormResult[];
}

export const MEASUREMENTS = ['creates', 'reads', 'lives', 'callbacks'] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

/** What is behind a rate as a part of the floor. */
export const ratios = (perSecond: number, { oneCorePerSecond, allCoresPerSecond }: Floor) => ({ ofAllCores: perSecond / allCoresPerSecond, ofOneCore: perSecond / oneCorePerSecond });

/** What the file holds: everything that was measured, with its ratios. */
export const toJson = ({ forms, ...rest }: BenchResult) => ({
  ...rest,
  forms: forms.map(({ form, data, ...measured }) => ({
    form,
    data,
    ...Object.fromEntries(MEASUREMENTS.map((name) => [name, measured[name] && { ...measured[name], ratioToFloor: ratios(measured[name].perSecond, rest.floor) }])),
  })),
});

/** Everything that should not have happened, for the end of a run. */
export const faultsOf = ({ forms }: BenchResult): string[] =>
  forms.flatMap((form) => [
    ...MEASUREMENTS.flatMap((name) => (form[name]?.faults ?? []).map((fault) => `${form.form}, ${name}: ${fault}`)),
    ...(form.data ? faultsOfData(form.data) : []).map((fault) => `${form.form}, ${fault}`),
  ]);

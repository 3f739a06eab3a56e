import type { BenchResult, FormResult } from '../bench/result';
import { combined, type StoresUse } from '../bench/stores-use';

/** Parts of an installation that use processors, as the bench names them. */
export const PROCESSES = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'] as const;
export type ProcessName = (typeof PROCESSES)[number];
export type Part = ProcessName | 'mongod' | 'broker';
export const PARTS: readonly Part[] = [...PROCESSES, 'mongod', 'broker'];

export type CpuMs = Readonly<Record<Part, number>>;

/** What one thing costs, as it was measured on five processes with one broker and one mongod. */
export interface Figures {
  /** An access request from its creation to `completed`, without callbacks. */
  readonly life: CpuMs;
  readonly callback: CpuMs;
  readonly read: CpuMs;
  readonly stores: { readonly life: StoresUse; readonly callback: StoresUse };
}

export type Release = Pick<BenchResult, 'startedAt' | 'commit' | 'machine' | 'forms'>;

/** Throws what the result lacks. */
export function figuresOf({ forms }: Pick<Release, 'forms'>): Figures {
  const servers = forms.find(({ form }) => form === 'servers');
  const { creates, lives, reads, callbacks } = servers ?? ({} as Partial<FormResult>);
  const drain = callbacks?.drains[0];
  if (!lives?.stores || !creates?.stores || !drain?.stores || !reads)
    throw new Error(
      'the bench result lacks creates, reads, lives or callbacks on servers, or what they made the stores do',
    );
  return {
    life: cpuOf(lives),
    callback: cpuOf(drain),
    read: cpuOf(reads),
    // The drain was measured with the creates of its callbacks.
    stores: {
      life: lives.stores,
      callback: combined(drain.stores, creates.stores, (all, create) => Math.max(0, all - create)),
    },
  };
}

function cpuOf({ cpuMsEach }: { readonly cpuMsEach: Readonly<Record<string, number>> }): CpuMs {
  return Object.fromEntries(PARTS.map((part) => [part, cpuMsEach[part] ?? 0])) as CpuMs;
}

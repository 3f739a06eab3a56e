import { parseArgs } from 'node:util';
import type { Load } from './model';
import { PAGE_LOADS } from './page';

export interface CapacityOptions {
  readonly loads: readonly Load[];
  readonly json: boolean;
}

/** Reads the arguments of `npm run capacity`. Throws what is wrong with them. */
export function readOptions(args: readonly string[]): CapacityOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      creates: { type: 'string' },
      retention: { type: 'string', default: '90' },
      cores: { type: 'string', default: '8' },
      json: { type: 'boolean', default: false },
    },
  });
  const retentionDays = positive(values.retention, 'retention');
  const cores = positive(values.cores, 'cores');
  const rates = values.creates === undefined ? undefined : [positive(values.creates, 'creates')];
  const creates = rates ?? PAGE_LOADS.map(({ createsPerSecond }) => createsPerSecond);
  return { loads: creates.map((createsPerSecond) => ({ createsPerSecond, retentionDays, cores })), json: values.json };
}

function positive(text: string, option: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 1e9)) throw new Error(`--${option} is a number above 0`);
  return number;
}

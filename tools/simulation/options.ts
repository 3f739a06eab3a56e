import { parseArgs } from 'node:util';

export interface SimulationOptions {
  readonly lives: number;
  readonly seed: number;
  /** The planted faults to find: none, all, or those whose names contain this. */
  readonly mutants: string | undefined;
  /** Whether the sources as they are are simulated too. */
  readonly original: boolean;
  readonly processes: number;
  /** Whether a crowded world is among several: it has five times as many lives as another. */
  readonly crowd: boolean;
  /** Whether everything that happened is printed. */
  readonly diary: boolean;
  /** Where the sum is written. */
  readonly report: string | undefined;
}

const usage = `npm run simulation -- [--lives 10000] [--seed N] [--processes 2] [--no-crowd] [--diary] [--report FILE]
                      [--mutants all|PART-OF-A-NAME [--only-mutants]]`;

/** Reads the arguments of `npm run simulation`. Throws what is wrong with them. `freshSeed` is taken where none is given. */
export function readOptions(args: readonly string[], freshSeed: number): SimulationOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lives: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(freshSeed) },
      mutants: { type: 'string' },
      'only-mutants': { type: 'boolean', default: false },
      processes: { type: 'string', default: '2' },
      'no-crowd': { type: 'boolean', default: false },
      diary: { type: 'boolean', default: false },
      report: { type: 'string' },
    },
  });
  return {
    lives: whole(values.lives, 'lives', 1, 10_000_000),
    seed: whole(values.seed, 'seed', 0, 4_000_000_000),
    mutants: values.mutants,
    original: !values['only-mutants'],
    processes: whole(values.processes, 'processes', 1, 64),
    crowd: !values['no-crowd'],
    diary: values.diary,
    report: values.report,
  };
}

function whole(text: string, option: string, least: number, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most)
    throw new Error(`--${option} is a whole number from ${least} to ${most}\n${usage}`);
  return number;
}

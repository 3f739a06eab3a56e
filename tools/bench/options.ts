import { parseArgs } from 'node:util';
import { DATA_MEASUREMENTS, type DataMeasurement } from './data';
import { RELEASE_FILE } from './release';
import { MEASUREMENTS, type FormName, type Measurement } from './result';

export interface BenchOptions {
  readonly seconds: number;
  readonly forms: readonly FormName[];
  readonly only: readonly (Measurement | DataMeasurement)[];
  /** How many events the subjects have whose archives are measured. */
  readonly exportEvents: readonly number[];
  /** Among how many profiles look-ups are measured, fewer first. */
  readonly profiles: readonly number[];
  /** How many requests are stored while operators read, and while creates go on. */
  readonly requests: number;
  /** How many gateways and how many request services the form on servers has. */
  readonly replicas: number;
  /** Lives begin at this rate; undefined: at the highest that is kept. */
  readonly livesPerSecond: number | undefined;
  readonly out: string;
  /** The result of an earlier run, to compare with. */
  readonly against: string;
  /** The result becomes the one of the last release. */
  readonly keep: boolean;
  /** The apps are built already, as they are to be measured. */
  readonly built: boolean;
  /** Settings for the services under test, for trying what they are worth; written into the result. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Under three minutes on two cores. */
const QUICK = { seconds: '5', only: 'creates,reads,lives' };

const FORMS: readonly FormName[] = ['embedded', 'servers'];
/** They store so many requests that they are asked for by name. */
const LONG: readonly string[] = ['console', 'grown'];
const EVERYTHING = [...MEASUREMENTS, ...DATA_MEASUREMENTS];

/** Reads the arguments of `npm run bench`. Throws what is wrong with them. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      forms: { type: 'string', default: FORMS.join(',') },
      only: { type: 'string' },
      'export-events': { type: 'string', default: '100000,1000000' },
      profiles: { type: 'string', default: '10000,100000,1000000' },
      requests: { type: 'string', default: '1000000' },
      replicas: { type: 'string', default: '1' },
      'lives-per-second': { type: 'string' },
      out: { type: 'string', default: 'reports/bench.json' },
      against: { type: 'string', default: RELEASE_FILE },
      keep: { type: 'boolean', default: false },
      built: { type: 'boolean', default: false },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const chosen = values.quick
    ? QUICK
    : { seconds: '30', only: EVERYTHING.filter((name) => !LONG.includes(name)).join(',') };
  const seconds = Number(values.seconds ?? chosen.seconds);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new Error('--seconds is from 1 to 3600');
  if (values.keep && !isOfRelease({ ...values, lives: values['lives-per-second'] }))
    throw new Error(
      '--keep is of one process of each service, with the settings that it has of itself, at its own rate',
    );
  return {
    seconds,
    forms: words(values.forms, FORMS, 'forms'),
    only: words(values.only ?? chosen.only, EVERYTHING, 'only'),
    exportEvents: counts(values['export-events'], 'export-events'),
    profiles: counts(values.profiles, 'profiles'),
    requests: counts(values.requests, 'requests')[0] ?? 0,
    replicas: replicasOf(values.replicas),
    livesPerSecond: livesOf(values['lives-per-second']),
    out: values.out,
    against: values.against,
    keep: values.keep,
    built: values.built,
    settings: Object.fromEntries(values.set.map(setting)),
  };
}

const isOfRelease = (given: { readonly set: readonly string[]; readonly replicas: string; readonly lives?: string }) =>
  given.set.length === 0 && given.replicas === '1' && given.lives === undefined;

function words<T extends string>(text: string, known: readonly T[], option: string): T[] {
  return text.split(',').map((word) => {
    const found = known.find((one) => one === word);
    if (!found) throw new Error(`--${option} is of ${known.join(',')}`);
    return found;
  });
}

function counts(text: string, option: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number >= 1_000 && number <= 100_000_000))
    throw new Error(`--${option} is whole numbers from 1000, between commas`);
  return numbers;
}

function replicasOf(text: string): number {
  const replicas = Number(text);
  if (!(Number.isInteger(replicas) && replicas >= 1 && replicas <= 16)) throw new Error('--replicas is from 1 to 16');
  return replicas;
}

function livesOf(text: string | undefined): number | undefined {
  const lives = Number(text ?? 1);
  if (!(Number.isInteger(lives) && lives >= 1)) throw new Error('--lives-per-second is a whole number from 1');
  return text === undefined ? undefined : lives;
}

function setting(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Z0-9_]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error('--set is NAME=value');
  return [name, value];
}

import { accessSync, constants, statSync } from 'node:fs';
import { type ValueOf, setting, type Setting, SettingFault, settingsOf, type SettingSpec } from './setting';
import { parseDurationMs, showDurationMs } from './duration';

const fault = (message: string): never => {
  throw new SettingFault(message);
};

/** Any text, or text of a pattern that `kind` describes. */
export const text = <const S extends SettingSpec<string>>(
  spec: S,
  pattern: RegExp = /^[^]*$/,
  kind = 'text',
): Setting<ValueOf<string, S>> =>
  setting<string, S>(kind, spec, (value) => (pattern.test(value) ? value : fault(`must be ${kind}`)));

export const int = <const S extends SettingSpec<number> & { readonly min: number; readonly max: number }>(
  spec: S,
): Setting<ValueOf<number, S>> =>
  setting<number, S>(`whole number ${spec.min} to ${spec.max}`, spec, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= spec.min && number <= spec.max
      ? number
      : fault(`must be a whole number from ${spec.min} to ${spec.max}`);
  });

/** A port to listen on; 0 binds a free one. */
export const port = <const S extends SettingSpec<number>>(spec: S): Setting<ValueOf<number, S>> =>
  int<S & { min: 0; max: 65_535 }>({ ...spec, min: 0, max: 65_535 });

export const bool = settingsOf<boolean>('true or false', (value) =>
  value === 'true' ? true : value === 'false' ? false : fault('must be true or false'),
);

export const choice = <const C extends string, const S extends SettingSpec<C>>(
  words: readonly C[],
  spec: S,
): Setting<ValueOf<C, S>> =>
  setting<C, S>(
    words.join(' or '),
    spec,
    (value) => words.find((word) => word === value) ?? fault(`must be ${words.join(' or ')}`),
  );

/** Whether it is an http or https address without user, query and fragment. */
export function isPlainAddress(value: string): boolean {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  return (
    parsed !== undefined &&
    // As it is written: parsing drops blanks and line ends, adds slashes, and makes capital letters small.
    /^https?:\/\/[^\s\\]+$/.test(value) &&
    parsed.username === '' &&
    parsed.password === '' &&
    // Empty parts too, which the parsed address does not show.
    !/[?#]|^[^/]*\/\/[^/]*@/.test(value)
  );
}

/** An http or https address, kept without a slash at its end. */
export const url = settingsOf<string>('http(s) address', (value) =>
  isPlainAddress(value)
    ? value.replace(/\/+$/, '')
    : fault('must be an http:// or https:// address without user, query or fragment'),
);

export const file = settingsOf<string>('file', (value) => {
  try {
    accessSync(value, constants.R_OK);
    return value;
  } catch {
    return fault('names a file that cannot be read');
  }
});

export const folder = settingsOf<string>('folder', (value) => {
  try {
    accessSync(value, constants.R_OK | constants.X_OK);
    if (statSync(value).isDirectory()) return value;
  } catch {
    // Refused below.
  }
  return fault('names a folder that cannot be read');
});

/** Ports that others listen on, between commas, at least one. */
export const ports = settingsOf<readonly number[]>(
  'ports, between commas',
  (value) => {
    const numbers = value.split(',').map((item) => (/^\s*\d{1,5}\s*$/.test(item) ? Number(item) : 0));
    return numbers.every((number) => number >= 1 && number <= 65_535)
      ? numbers
      : fault('must be ports from 1 to 65535, between commas');
  },
  (numbers) => numbers.join(','),
);

/** A comma-separated list, possibly empty; each item must pass `wanted`. */
export function list<const S extends SettingSpec<readonly string[]>>(
  spec: S,
  wanted: RegExp | ((item: string) => boolean) = /./,
  kind = 'text',
): Setting<readonly string[]> {
  const passes = typeof wanted === 'function' ? wanted : (item: string) => wanted.test(item);
  const parse = (value: string): readonly string[] => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const bad = items.findIndex((item) => !passes(item));
    return bad === -1 ? items : fault(`entry ${bad + 1} must be ${kind}`);
  };
  const withDefault = { ...spec, default: spec.default ?? [] } as SettingSpec<readonly string[]> & {
    default: readonly string[];
  };
  return setting<readonly string[], typeof withDefault>(
    `${kind}, between commas`,
    withDefault,
    parse,
    (items) => items.join(',') || 'none',
  );
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const DAY_MS = 86_400_000;
/** A hundred years: dates so far ahead are still valid ones. */
const LONGEST_DURATION_MS = 36_500 * DAY_MS;
/** A little less than Node's timers take, as pauses are lengthened by up to a tenth. Beyond that they fire at once. */
const LONGEST_TIMER_MS = 22 * DAY_MS;
/** Shorter pauses would keep a core busy. */
const SHORTEST_TIMER_MS = 10;

/** Settings alone may be plain milliseconds: their names say so. */
const settingMs = (text: string): number | undefined => parseDurationMs(/^\d+$/.test(text) ? `${text}ms` : text);

/** A time in milliseconds, written `250ms`, `5s`, `15min`, `48h` or `7d`, or as plain milliseconds. */
export function durationMs<const S extends SettingSpec<number> & Bounds>(spec: S): Setting<ValueOf<number, S>> {
  const { min = 0, max = LONGEST_DURATION_MS } = spec;
  const bounds = `${showDurationMs(min)} to ${showDurationMs(max)}`;
  return setting<number, S>(
    spec.min === undefined && spec.max === undefined ? 'duration' : `duration ${bounds}`,
    spec,
    (value) => {
      const ms = settingMs(value) ?? fault('must be a duration such as 250ms, 5s, 15min, 48h or 7d');
      return ms >= min && ms <= max ? ms : fault(`must be a duration from ${bounds}`);
    },
    showDurationMs,
  );
}

/** A duration that becomes a timer: as long as timers can be, and not 0 unless its `min` is. */
export const timerMs = <const S extends SettingSpec<number> & Bounds>(spec: S): Setting<ValueOf<number, S>> =>
  durationMs<S>({ min: SHORTEST_TIMER_MS, max: LONGEST_TIMER_MS, ...spec });

/** Durations between commas, at least one. */
export const durationsMs = settingsOf<readonly number[]>(
  'durations, between commas',
  (value) =>
    value.split(',').map((item) => {
      const ms = settingMs(item.trim());
      return ms !== undefined && ms <= LONGEST_DURATION_MS ? ms : fault('must be durations such as 5s,1min');
    }),
  (values) => values.map(showDurationMs).join(','),
);

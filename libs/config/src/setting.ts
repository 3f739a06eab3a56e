/** Settings read before, by name: later settings of a table may derive their default from them. */
export type ReadSoFar = Readonly<Record<string, unknown>>;

/** A default that depends on other settings; `shown` says in `--help` how. */
export interface ComputedDefault<T> {
  readonly compute: (read: ReadSoFar) => T;
  readonly shown: (show: (value: T) => string) => string;
}

/** One environment variable: its parser and its `--help` text. */
export interface Setting<T> {
  readonly kind: string;
  readonly meaning: string;
  readonly required: boolean;
  readonly fallback: ((read: ReadSoFar) => T) | undefined;
  /** The default as `--help` shows it. */
  readonly shownDefault: string | undefined;
  /** Throws a SettingFault; its message never repeats the text, which may be a secret. */
  readonly parse: (text: string) => T;
  /** A value of this setting as operators see it; undefined: it is a secret. */
  readonly show: (value: unknown) => string | undefined;
}

export class SettingFault extends Error {
  override readonly name = 'SettingFault';
}

export interface SettingSpec<T> {
  readonly meaning: string;
  readonly default?: T | ComputedDefault<T>;
  readonly required?: true;
  /** Nobody is shown its value. */
  readonly isSecret?: true;
}

/** With a default or required, a setting always has a value. */
export type ValueOf<T, S> = S extends { default: unknown } | { required: true } ? T : T | undefined;

export type Table = Readonly<Record<string, Setting<unknown>>>;
export type Values<T extends Table> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never };

const isFallback = <T>(value: T | ComputedDefault<T>): value is ComputedDefault<T> =>
  typeof value === 'object' && value !== null && 'compute' in value && 'shown' in value;

const fallbackOf = <T>(value: T | ComputedDefault<T> | undefined): ComputedDefault<T> | undefined => {
  if (value === undefined) return undefined;
  return isFallback(value) ? value : { compute: () => value, shown: (show) => show(value) };
};

/** Makes a setting from a parser. */
export function setting<T, S extends SettingSpec<T>>(
  kind: string,
  spec: S,
  parse: (text: string) => T,
  show: (value: T) => string = String,
): Setting<ValueOf<T, S>> {
  const fallback = fallbackOf<T>(spec.default);
  const { meaning, required = false, isSecret } = spec;
  return {
    ...{ kind, meaning, required, fallback: fallback?.compute, shownDefault: fallback?.shown(show), parse },
    show: (value) => (isSecret ? undefined : show(value as T)),
  };
}

/** Makes settings of one kind. */
export const settingsOf =
  <T>(kind: string, parse: (text: string) => T, show?: (value: T) => string) =>
  <const S extends SettingSpec<T>>(spec: S): Setting<ValueOf<T, S>> =>
    setting<T, S>(kind, spec, parse, show);

/** Makes settings of one kind whose values nobody is shown. */
export const secretsOf =
  <T>(kind: string, parse: (text: string) => T) =>
  <const S extends SettingSpec<T>>(spec: S): Setting<ValueOf<T, S>> =>
    setting<T, S>(kind, { ...spec, isSecret: true }, parse);

export type Profile = 'sandbox' | 'production';

/** A default that differs by timing profile; `TIMING_PROFILE` must precede it in the table. */
export const perProfile = <T>(sandbox: T, production: T): ComputedDefault<T> => ({
  compute: ({ TIMING_PROFILE }) => (TIMING_PROFILE === 'sandbox' ? sandbox : production),
  shown: (show) => `${show(sandbox)} (sandbox), ${show(production)} (production)`,
});

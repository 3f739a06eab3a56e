import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** An invalid command line; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A `--name VALUE` or `--name` of a command, or its operand. `parse` throws a UsageError that names what is expected. */
interface Option<T = unknown> {
  /** The name of the value in `--help`; undefined for a flag. */
  readonly value: string | undefined;
  readonly required: boolean;
  /** The one value that stands without a name. */
  readonly isOperand?: true;
  readonly parse: (text: string) => T;
}

export type Options = Readonly<Record<string, Option>>;
type Value<O extends Option> = O extends { required: true }
  ? ReturnType<O['parse']>
  : ReturnType<O['parse']> | undefined;
export type Given<O extends Options> = { readonly [K in keyof O]: Value<O[K]> };

export const required = <T>(value: string, parse: (text: string) => T) => ({ value, required: true, parse }) as const;
export const optional = <T>(value: string, parse: (text: string) => T) => ({ value, required: false, parse }) as const;
/** The one value of a command that stands without a name. */
export const operand = <T>(value: string, parse: (text: string) => T) =>
  ({ value, required: true, isOperand: true, parse }) as const;
/** An option without a value. */
export const flag = { value: undefined, required: false, parse: (): true => true } as const;

/** Reads the options of a command. Throws a UsageError for an unknown, missing, repeated or invalid one. */
export function givenOptions<O extends Options>(args: readonly string[], options: O): Given<O> {
  const texts = textsOf(args, options);
  const entries = Object.entries(options).map(([name, option]) => {
    const [text, shown] = [texts[name], shownName(name, option)];
    if (text === undefined && option.required) throw new UsageError(`${shown} is missing`);
    return [name, text === undefined ? undefined : parsed(shown, text, option.parse)];
  });
  return Object.fromEntries(entries) as Given<O>;
}

const shownName = (name: string, { isOperand, value }: Option): string =>
  isOperand && value !== undefined ? value : `--${name}`;

function textsOf(args: readonly string[], wanted: Options): Readonly<Record<string, string | true | undefined>> {
  const entries = Object.entries(wanted);
  const operands = entries.filter(([, option]) => option.isOperand);
  const named = entries.filter(([, option]) => !option.isOperand);
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    named.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  );
  try {
    const allowPositionals = operands.length > 0;
    const read = parseArgs({ args: [...args], options, strict: true, allowPositionals, tokens: true });
    refuseRepeated(read.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
    if (read.positionals.length > operands.length) throw new UsageError('only one value stands without an --option');
    return {
      ...read.values,
      ...Object.fromEntries(operands.map(([name], n) => [name, read.positionals[n]])),
    } as Readonly<Record<string, string | true | undefined>>;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node's message names the option. A value without an option may be a misplaced secret, so it is not repeated.
    const { code, message } = error as NodeJS.ErrnoException;
    const said =
      code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? 'every value needs an --option before it'
        : message.split(/[.\n]/, 1)[0];
    throw new UsageError(said, { cause: error });
  }
}

/** `parseArgs` would keep the last value and drop the others. */
function refuseRepeated(names: readonly string[]): void {
  const repeated = names.find((name, n) => names.indexOf(name) !== n);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given more than once`);
}

function parsed(shown: string, text: string | true, parse: Option['parse']): unknown {
  if (text === true) return true;
  if (text.trim() === '') throw new UsageError(`${shown} is empty`);
  try {
    return parse(text.trim());
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${shown}: ${error.message}`, { cause: error });
    throw error;
  }
}

export const usageOf = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => {
      const { value, required: mustBe, isOperand } = option;
      const shown = value === undefined || isOperand ? shownName(name, option) : `--${name} ${value}`;
      return mustBe ? shown : `[${shown}]`;
    })
    .join(' ');

export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new UsageError(`must be one of ${words.join(', ')}`);
    return word;
  };

/** A list of these words, each once. */
export const someOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): readonly T[] => [...new Set(text.split(',').map((item) => oneOf(words)(item.trim())))];

/** Text that matches a pattern, which `wanted` describes. */
export const matching =
  (pattern: RegExp, wanted: string) =>
  (text: string): string => {
    if (!pattern.test(text)) throw new UsageError(`must be ${wanted}`);
    return text;
  };

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new UsageError(`must be a whole number from ${min} to ${max}`);
    return number;
  };

/** A time with its zone, or a day, which means midnight UTC. */
export const instant = (text: string): Date => {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) throw new UsageError('must be a time such as 2026-01-05T10:00:00Z, or a day');
  return time;
};

/** An http or https address without user, password and fragment. */
export const address = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username + url.password + url.hash !== '')
    throw new UsageError('must be an http or https address without user, password and fragment');
  return url;
};

/** The same without a query, so that paths can follow. */
export const baseAddress = (text: string): URL => {
  const url = address(text);
  if (/[?#]/.test(url.href)) throw new UsageError('must have no query and no fragment');
  return url;
};

import { types } from 'node:util';
import { causeOf, type ErrorFields } from './kafka/faults';

interface Carried extends ErrorFields {
  readonly codeName?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly holdsNoValues?: unknown;
  readonly errstr?: unknown;
  /** The last error of a server, in MongoDB's topology description. */
  readonly error?: unknown;
}

const DEPTH = 4;

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^-?\w[\w.-]{0,99}$/.test(value) ? value : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function kindOf(value: unknown): string {
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  return word((value.constructor as { readonly name?: unknown } | undefined)?.name) ?? 'object';
}

const identityOf = (error: unknown): Pick<ErrorSummary, 'name' | 'thrown'> =>
  types.isNativeError(error)
    ? { name: word(error.name) ?? 'Error', thrown: undefined }
    : { name: 'NotAnError', thrown: kindOf(error) };

/** The words of SQLite for a result code. Its message may quote values, these are the same for all. */
const sqliteWords = ({ code, errstr }: Carried): string | undefined =>
  code === 'ERR_SQLITE_ERROR' && typeof errstr === 'string' ? errstr : undefined;

/** MongoDB puts a topology description between an error and its causes. */
function causeIn(error: unknown): unknown {
  const cause = causeOf(Object(error) as Carried);
  return isObject(cause) && !types.isNativeError(cause) ? ((cause as Carried).error ?? cause) : cause;
}

/** The frames of a stack, without the message, which may quote values. */
function framesOf(error: unknown): string | undefined {
  if (!types.isNativeError(error)) return undefined;
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^ {4}at \S.*$/.test(line));
  return frames.length > 0 ? frames.slice(0, 20).join('\n') : undefined;
}

/**
 * The loggable part of an error and its causes: names and codes. Messages may quote values: only an error with
 * `holdsNoValues: true` keeps its message, and one of SQLite the words for its result code.
 */
export class ErrorSummary {
  readonly name: string;
  /** The type or class of a thrown value that is not an error. */
  readonly thrown: string | undefined;
  /** A code such as `ECONNREFUSED`, or MongoDB's number. */
  readonly code: string | undefined;
  readonly codeName: string | undefined;
  readonly type: string | undefined;
  readonly syscall: string | undefined;
  readonly message: string | undefined;
  readonly stack: string | undefined;
  readonly cause: ErrorSummary | undefined;

  constructor(error: unknown, options: { readonly stack?: boolean; readonly depth?: number } = {}) {
    const { stack = false, depth = DEPTH } = options;
    const carried = Object(error) as Carried;
    const { code, codeName, type, syscall, message, holdsNoValues } = carried;
    const { name, thrown } = identityOf(error);
    this.name = name;
    this.thrown = thrown;
    this.code = word(typeof code === 'number' ? String(code) : code);
    this.codeName = word(codeName);
    this.type = word(type);
    this.syscall = word(syscall);
    this.message = holdsNoValues === true && typeof message === 'string' ? message : sqliteWords(carried);
    this.stack = stack ? framesOf(error) : undefined;
    const cause = depth > 1 ? causeIn(error) : undefined;
    this.cause = cause === undefined ? undefined : new ErrorSummary(cause, { stack, depth: depth - 1 });
  }
}

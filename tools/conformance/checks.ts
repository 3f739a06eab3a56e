import type { Answer } from './answer';

/** A failed rule. The message names the expected and the actual value, but never an identity or a credential. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Whether the rule holds could not be found out; the message says why. */
export class NotApplicable extends Error {
  override readonly name: string = 'NotApplicable';
}

/** A failure because of the time only: a longer `--wait`, or a request that stays pending for longer, would decide. */
export class Undecided extends NotApplicable {
  override readonly name = 'Undecided';
}

export type Fields = Readonly<Record<string, unknown>>;

export function expectThat(holds: boolean, expected: string, got: string): void {
  if (!holds) throw new Failure(`expected ${expected}, got ${got}`);
}

/** The message shows both values, so none may be an identity. */
export function expectEqual(what: string, got: unknown, expected: unknown): void {
  expectThat(shown(got) === shown(expected), `${what} ${shown(expected)}`, shown(got));
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

export function expectStatus(answer: Answer, expected: number, of = 'the answer'): void {
  expectThat(answer.status === expected, `${of} to be ${String(expected)}`, String(answer.status));
}

/** The interface does not show every success code: any 2xx is one, unless the notes name it. */
export function expectSuccess(answer: Answer, of: string): void {
  expectThat(succeeded(answer), `${of} to succeed`, String(answer.status));
}

/** The status of a create has its own rule; the others only need an accepted request. */
export const expectAdmitted = (answer: Answer, of = 'a create'): void => expectSuccess(answer, of);

export const succeeded = ({ status }: Answer): boolean => status >= 200 && status < 300;

export const isObject = (json: unknown): json is Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** The JSON object that an answer or a callback holds. */
export function fieldsOf({ body }: { readonly body: Buffer }): Fields {
  const json = jsonOf({ body });
  if (!isObject(json)) throw new Failure(`expected a JSON object, got ${kindOf(json)}`);
  return json;
}

export function listOf({ body }: { readonly body: Buffer }): readonly Fields[] {
  const json = jsonOf({ body });
  if (!Array.isArray(json)) throw new Failure(`expected a JSON array, got ${kindOf(json)}`);
  return json as readonly Fields[];
}

/** What the parser would say of a body may quote it. */
function jsonOf({ body }: { readonly body: Buffer }): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Failure(`expected JSON, got ${String(body.length)} bytes that are none`);
  }
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : value === undefined ? 'nothing' : `a ${typeof value}`;

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/;

/** The types of the interface's tables, by the words that it uses. */
const TYPES = {
  string: (value) => typeof value === 'string' && value !== '',
  'string or null': (value) => value === null || typeof value === 'string',
  'array or null': (value) => value === null || Array.isArray(value),
  array: Array.isArray,
  integer: Number.isInteger,
  null: (value) => value === null,
  'UUID v4': (value) => typeof value === 'string' && UUID_V4.test(value),
  'ISO 8601 time': (value) => typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value)),
  'RFC 3339 time in UTC': (value) => typeof value === 'string' && UTC_TIME.test(value),
  'absolute http(s) URL': (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
} as const satisfies Record<string, (value: unknown) => boolean>;
type FieldType = keyof typeof TYPES;

/** Whether every field exists with its type. Further fields are allowed. */
export function expectFields(fields: Fields, types: Readonly<Record<string, FieldType>>): void {
  for (const [name, type] of Object.entries(types))
    expectThat(TYPES[type](fields[name]), `${name} (${type})`, kindOf(fields[name]));
}

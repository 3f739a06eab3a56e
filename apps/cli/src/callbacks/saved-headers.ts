import { CommandError } from '../command-error';

/** Headers by their names in lower case. */
type SavedHeaders = Readonly<Record<string, readonly string[]>>;

const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/[0-9.]+$/;

/**
 * Reads saved headers: `Name: value` lines after an optional request line, or a JSON object. Errors repeat none of
 * them.
 */
export function savedHeaders(text: string): SavedHeaders {
  const fields = text.trimStart().startsWith('{') ? fieldsOfJson(text) : fieldsOfLines(text);
  const headers = new Map<string, string[]>();
  for (const [name, value] of fields)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  return Object.fromEntries(headers);
}

type Field = readonly [name: string, value: string];

function fieldsOfLines(text: string): Field[] {
  const lines = text
    .split(/\r?\n/)
    .map((line, i): [string, number] => [line, i + 1])
    .filter(([line]) => line.trim() !== '');
  return lines.flatMap(([line, number], i): Field[] => {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    if (i === 0 && REQUEST_LINE.test(line)) return [];
    throw new CommandError(`line ${number} of the headers is not "Name: value"`);
  });
}

function fieldsOfJson(text: string): Field[] {
  return Object.entries(objectOf(text)).flatMap(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one): Field => {
      if (typeof one !== 'string') throw new CommandError('a header is neither a string nor a list of strings');
      return [name, one];
    });
  });
}

function objectOf(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new CommandError('the headers start like JSON but are not valid JSON');
  }
}

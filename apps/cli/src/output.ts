import type { Terminal } from './command';
import { flag } from './options';

/** For commands with machine-readable output: spread into `options`. */
export const jsonOption = { json: flag } as const;

/** Prints `value` as one JSON document with --json, else the lines. */
export function show<T>(
  { print }: Pick<Terminal, 'print'>,
  { json }: { readonly json: true | undefined },
  value: T,
  lines: (value: T) => readonly string[],
): void {
  if (json) print(JSON.stringify(value));
  else lines(value).forEach(print);
}

/** A listing that is read page by page. */
interface Listing<T> {
  /** The field of the items in the JSON document. */
  readonly name: string;
  readonly items: AsyncIterable<T>;
  readonly lines: (item: T) => readonly string[];
  /** The line for an empty listing. */
  readonly none: string;
}

/** Prints a listing as it is read: one JSON document with --json, else the lines of each item. */
export async function showEach<T>(
  { print }: Pick<Terminal, 'print'>,
  { json }: { readonly json: true | undefined },
  { name, items, lines, none }: Listing<T>,
): Promise<void> {
  let count = 0;
  if (json) print(`{${JSON.stringify(name)}:[`);
  for await (const item of items) {
    if (json) print(`${count === 0 ? '' : ','}${JSON.stringify(item)}`);
    else lines(item).forEach(print);
    count += 1;
  }
  if (json) print(']}');
  else if (count === 0) print(none);
}

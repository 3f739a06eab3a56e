import type { Terminal } from './command';
import { flag } from './options';

/** For commands whose answer a machine may read: spread into `options`. */
export const jsonOption = { json: flag } as const;

/** Prints `value` as one JSON document where --json is given, else the lines. */
export function show<T>(
  { print }: Pick<Terminal, 'print'>,
  { json }: { readonly json: true | undefined },
  value: T,
  lines: (value: T) => readonly string[],
): void {
  if (json) print(JSON.stringify(value));
  else lines(value).forEach(print);
}

/** What is read page by page, however much it is. */
interface Listing<T> {
  /** Under which the JSON document holds the items. */
  readonly name: string;
  readonly items: AsyncIterable<T>;
  readonly lines: (item: T) => readonly string[];
  /** What people are told of an empty one. */
  readonly none: string;
}

/** Prints a listing as it is read: one JSON document over several lines where --json is given, else the lines of each item. */
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

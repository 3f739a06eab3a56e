import type { Terminal } from './command';
import { flag } from './options';

/** For commands whose answer a machine may read: spread into `options`. */
export const jsonOption = { json: flag } as const;

/** Prints `value` as one JSON document where --json is given, else the lines. */
export function show<T>({ print }: Pick<Terminal, 'print'>, { json }: { readonly json: true | undefined }, value: T, lines: (value: T) => readonly string[]): void {
  if (json) print(JSON.stringify(value));
  else lines(value).forEach(print);
}

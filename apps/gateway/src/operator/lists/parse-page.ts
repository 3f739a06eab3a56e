import { QueryReader } from './query-reader';

/** Which page of a list. `after`: behind what it goes on; undefined: from its beginning. */
export interface WantedPage<P> {
  readonly limit: number;
  readonly after: P | undefined;
}

/** Reads the parameters of a list without filters. Throws a 400 that names every fault. */
export function parsePage<P>(
  parameters: Readonly<Record<string, unknown>>,
  list: string,
  placeOf: (parts: readonly string[]) => P | undefined,
): WantedPage<P> {
  const reader = new QueryReader(parameters, ['limit', 'cursor']);
  const page = { limit: reader.limit(), after: reader.place(list, placeOf) };
  reader.end();
  return page;
}

import type { RebuildOptions } from '@opendsr-service/replay';
import type { Terminal } from '../command';

/** From this many records on the progress is shown. */
const SHOWN_FROM = 100_000;

/** Prints the progress, except with --json. */
export const progressOf = (
  { print }: Pick<Terminal, 'print'>,
  { json }: { readonly json: true | undefined },
): RebuildOptions['progress'] =>
  json
    ? undefined
    : (topic, records) => {
        if (records >= SHOWN_FROM) print(`read ${records} records of ${topic}`);
      };

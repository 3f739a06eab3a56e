import type { RebuildOptions } from '@opendsr-service/replay';
import type { Terminal } from '../command';

/** A log of so many records takes a while to be read, so that it is told how far it has come. */
const LONG = 100_000;

/** Tells people of a long log, and machines nothing. */
export const progressOf = (
  { print }: Pick<Terminal, 'print'>,
  { json }: { readonly json: true | undefined },
): RebuildOptions['progress'] =>
  json
    ? undefined
    : (topic, records) => {
        if (records >= LONG) print(`read ${records} records of ${topic}`);
      };

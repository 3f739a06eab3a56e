import { command, EXIT, type Terminal } from '../command';
import { jsonOption, show } from '../output';
import { compared, differenceLines, type DatabaseState } from './compared';
import { databases } from './databases';
import { withStores } from './stores.wiring';

type Given = { readonly json: true | undefined };

/** `dsr db apply`: creates missing indexes, as each service does at its start. */
export const dbApply = command({
  words: 'db apply',
  meaning: 'creates the missing indexes in the databases of all services; changes or drops no existing one',
  options: jsonOption,
  run: (given, terminal) => report(given, terminal, true),
});

/** `dsr db check`: lists indexes that differ from what the services need. */
export const dbCheck = command({
  words: 'db check',
  meaning: 'lists the indexes that differ from what the services need, and those that no service needs',
  options: jsonOption,
  run: (given, terminal) => report(given, terminal, false),
});

const report = (given: Given, terminal: Terminal, apply: boolean): Promise<number> =>
  withStores(terminal, async ({ storage }) => {
    const states = await compared(storage, { databases: await databases(), apply });
    show(terminal, given, { databases: states }, () => linesOf(states));
    return states.every(({ differences }) => differences.length === 0) ? EXIT.ok : EXIT.failed;
  });

function linesOf(states: readonly DatabaseState[]): string[] {
  const made = states.flatMap(({ database, made: tried }) =>
    tried.map(({ collection, index, refused }) =>
      refused === undefined
        ? `${database}: created index ${index} of ${collection}`
        : `${database}: index ${index} of ${collection} cannot be created: ${refused}`,
    ),
  );
  const differences = states.flatMap(differenceLines);
  return [...made, ...differences, ...(differences.length === 0 ? ['all indexes are correct'] : [])];
}

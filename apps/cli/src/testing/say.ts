import { readSettings } from '@opendsr-service/config';
import { systemClock } from '@opendsr-service/service';
import type { Command } from '../command';
import { dsr } from '../dsr';
import { files } from '../files.store';

interface Saying {
  readonly commands: readonly Command[];
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
  /** Called with every printed line. */
  readonly heard?: (line: string) => void;
  readonly untilStopped?: () => Promise<void>;
}

/** What a command line, its words between spaces, prints, complains of and exits with. */
export async function say(
  line: string,
  {
    commands,
    env = {},
    now = () => systemClock.now(),
    heard = () => {},
    untilStopped = () => new Promise<never>(() => undefined),
  }: Saying,
) {
  const said = { out: [] as string[], err: [] as string[] };
  const code = await dsr(commands, line === '' ? [] : line.split(' '), {
    print: (text) => {
      said.out.push(text);
      heard(text);
    },
    complain: (text) => void said.err.push(text),
    complainJson: (value) => void said.err.push(JSON.stringify(value)),
    settings: (table, check) => readSettings(table, env, check),
    now,
    files,
    untilStopped,
  });
  return { code, ...said };
}

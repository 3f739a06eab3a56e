import manifest from '../package.json';
import { EXIT, type Command, type Terminal } from './command';
import { refusalOf } from './refusal';

interface Console extends Terminal {
  readonly complain: (line: string) => void;
  readonly complainJson: (value: { readonly error: string }) => void;
}

const isHelp = (word: string | undefined): boolean => word !== undefined && ['--help', '-h', 'help'].includes(word);

/** Runs the command that the first one or two words name. Resolves with the exit code. */
export async function dsr(commands: readonly Command[], args: readonly string[], console: Console): Promise<number> {
  if (args.length === 0 || isHelp(args[0])) return help(commands, console);
  if (args[0] === '--version') {
    console.print(manifest.version);
    return EXIT.ok;
  }
  const command = commands.find(({ words }) => words === args.slice(0, countOf(words)).join(' '));
  if (!command) return withoutCommand(commands, args, console);
  const rest = args.slice(countOf(command.words));
  if (rest.some((word) => word === '--help' || word === '-h')) return help([command], console);
  return command.run(rest, console).catch((error: unknown) => refuse(error, { command, rest, console }));
}

/** The first word alone, such as `dsr keys`, shows the commands that begin with it. */
function withoutCommand(
  commands: readonly Command[],
  [first = '', second]: readonly string[],
  console: Console,
): number {
  const group = commands.filter(({ words }) => words.startsWith(`${first} `));
  if (group.length > 0 && isHelp(second)) return help(group, console);
  if (group.length > 0 && second === undefined) help(group, console);
  else console.complain(`no such command: see dsr ${group.length > 0 ? `${first} ` : ''}--help`);
  return EXIT.usage;
}

const countOf = (words: string): number => words.split(' ').length;

function help(commands: readonly Command[], { print }: Console): number {
  print('dsr: the operator’s tool of the OpenDSR service');
  commands.forEach(({ words, usage, meaning }) => {
    print('');
    print(`  dsr ${words}${usage && ` ${usage}`}`);
    print(`      ${meaning}`);
  });
  print('');
  print(
    'It reads the same environment variables as the services, and can run beside them: KAFKA_BROKERS, ' +
      'MONGODB_URI and MASTER_KEY_FILE, or DATA_DIR of the embedded stores.',
  );
  print(
    'Exit codes: 0 done, 1 failed or something differs, 2 unknown command or option, 3 Kafka or MongoDB cannot be reached.',
  );
  return EXIT.ok;
}

function refuse(
  error: unknown,
  { command: { words, usage }, rest, console }: { command: Command; rest: readonly string[]; console: Console },
): number {
  const { code, lines } = refusalOf(error);
  if (rest.includes('--json')) console.complainJson({ error: lines.join('; ') });
  else lines.forEach(console.complain);
  if (code === EXIT.usage && !rest.includes('--json')) console.complain(`usage: dsr ${words}${usage && ` ${usage}`}`);
  return code;
}

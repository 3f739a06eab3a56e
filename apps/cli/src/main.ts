import 'reflect-metadata';
import { ConfigurationError } from '@opendsr-service/runtime';
import { EXIT, type Command } from './command';
import { topicsApply, topicsCheck } from './topics/topics.command';

const COMMANDS: readonly Command[] = [topicsApply, topicsCheck];

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`dsr: ${line}\n`);

function help(): void {
  print('dsr: the operator’s tool of the OpenDSR service');
  print('');
  COMMANDS.forEach(({ words, meaning }) => { print(`  dsr ${words.padEnd(16)} ${meaning}`); });
  print('');
  print('It reads the same environment variables as the services. Exit codes: 0 done, 1 failed or something differs, 2 no such command.');
}

async function run(words: string): Promise<number> {
  const command = COMMANDS.find((known) => known.words === words);
  if (command) return command.run(print);
  if (words !== '' && words !== '--help' && words !== '-h' && words !== 'help') {
    complain(`no such command: see dsr --help`);
    return EXIT.usage;
  }
  help();
  return EXIT.ok;
}

run(process.argv.slice(2).join(' ')).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const lines = error instanceof ConfigurationError ? error.faults : [error instanceof Error ? (error.message.split('\n', 1)[0] ?? error.name) : 'failed'];
    lines.forEach(complain);
    process.exit(EXIT.failed);
  },
);

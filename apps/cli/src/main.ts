import 'reflect-metadata';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readProcessSettings } from '@opendsr-service/config';
import { systemClock } from '@opendsr-service/service';
import { EXIT } from './command';
import { commands } from './commands';
import { dsr } from './dsr';
import { files } from './files.store';
import { refusalOf } from './refusal';

const complain = (line: string): void => void process.stderr.write(`dsr: ${line}\n`);

/**
 * The reader may close the pipe, as in `dsr parked list | head`. Only the exit code then says that output is missing.
 */
function endUnheard(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EPIPE') refusalOf(error).lines.forEach(complain);
  process.exit(EXIT.failed);
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', endUnheard);

/** Resolves when all of it is written, also in vain. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

async function main(): Promise<never> {
  const code = await dsr(commands, process.argv.slice(2), {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain,
    complainJson: (value) => void process.stderr.write(`${JSON.stringify(value)}\n`),
    settings: readProcessSettings,
    now: () => systemClock.now(),
    files,
    untilStopped: async () => void (await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))),
  });
  // Pipes are written to asynchronously, and an exit drops what is still to be written.
  await Promise.all([process.stdout, process.stderr].map(flushed));
  // A failure to write the last lines is known only after this turn.
  await nextTurn();
  return process.exit(code);
}

void main();

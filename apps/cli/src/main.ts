import 'reflect-metadata';
import { once } from 'node:events';
import { readProcessSettings, systemClock } from '@opendsr-service/runtime';
import { commands } from './commands';
import { dsr } from './dsr';
import { files } from './files.store';

const code = await dsr(commands, process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`dsr: ${line}\n`),
  complainJson: (value) => void process.stderr.write(`${JSON.stringify(value)}\n`),
  settings: readProcessSettings,
  now: () => systemClock.now(),
  files,
  untilStopped: async () => void (await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))),
});
process.exit(code);

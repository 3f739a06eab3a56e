import { parseArgs } from 'node:util';
import { startStandalone } from '../e2e/standalone';
import { runQuietly } from '../test/command';
import { tableOf } from './table';
import { settings, worstOfAll } from './worst-of-all';

/** `npm run bodies`: what the worst bodies cost that each endpoint takes, beside a body of that size that it takes. */
async function bodies(): Promise<void> {
  const { values } = parseArgs({
    options: {
      times: { type: 'string', default: '5' },
      shown: { type: 'string', default: '5' },
      built: { type: 'boolean', default: false },
    },
  });
  if (!values.built && !(await runQuietly('nx', ['run-many', '-t', 'build', '-p', 'standalone', 'cli'])))
    throw new Error('the apps could not be built');
  const service = await startStandalone(settings);
  try {
    const results = await worstOfAll(service, {
      times: Number(values.times),
      limitMs: 0,
      print: (line) => void process.stderr.write(`bodies: ${line}\n`),
    });
    process.stdout.write(`${tableOf(results, Number(values.shown))}\n`);
  } finally {
    await service.stop();
  }
}

bodies().catch((error: unknown) => {
  process.stderr.write(`bodies: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

// `npm test`: everything that a change must pass, with a time for each phase and the sum of all tests on the last line.
import { parseArgs } from 'node:util';
import { optionsFrom, phaseNames, phases, sharedServers, type PhaseName } from './test/phases';
import { add, demandTests, failure, failureLines, lastLine, nothing, type Tally } from './test/tally';

const usage = `npm test -- [--only ${phaseNames.join(',')}]   the phases to run, in this order; default: all`;

function chosenPhases(only: string | undefined): PhaseName[] {
  const names = only?.split(',') ?? phaseNames;
  const unknown = names.filter((name) => !phaseNames.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`no such phase: ${unknown.join(', ')}\n${usage}`);
  return phaseNames.filter((name) => names.includes(name));
}

async function main(names: readonly PhaseName[]) {
  const options = optionsFrom(process.env);
  const servers = sharedServers(process.env, options);
  stopOnSignal(() => servers.stop());
  const work = phases(options, servers);
  const times: string[] = [];
  let total: Tally = nothing;
  for (const name of names) {
    console.log(`\n── ${name} ──`);
    const started = performance.now();
    const tally = await work[name]().catch((error: unknown) =>
      failure(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    );
    times.push(`${name} ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    total = add(total, tally);
  }
  await servers.stop();
  report(names.some(runsTests) ? demandTests(total) : total, times);
}

/** Steps that only check or build execute no test, so none is missed where only they were asked for. */
const runsTests = (name: PhaseName) => !['lockfile', 'lint', 'build'].includes(name);

function report(total: Tally, times: readonly string[]) {
  console.log(`\nTimes: ${times.join(', ')}`);
  for (const line of failureLines(total)) console.log(line);
  console.log(lastLine(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** The servers are ours: an interrupted run must not leave them behind. */
function stopOnSignal(stop: () => Promise<void>) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(code)));
  }
}

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) console.log(usage);
else await main(chosenPhases(values.only));

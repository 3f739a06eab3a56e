// `npm test`: everything that a change must pass, with a time for each phase and the sum of all tests on the last line.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { spareJava } from './java';
import { cpuSeconds } from './test/command';
import { keepTemporaryFilesInMemory } from './test/memory';
import { gatherOutput, print, printUnfinished } from './test/output';
import { optionsFrom, phaseNames, phases, sharedServers, type PhaseName } from './test/phases';
import { readTimes, slowest } from './test/slowest';
import {
  add,
  demandAll,
  demandTests,
  failure,
  failureLines,
  lastLine,
  nothing,
  skippedLines,
  type Tally,
} from './test/tally';
import { runTracks } from './test/tracks';

const SLOWEST_SHOWN = 20;

const usage = `npm test -- [--only ${phaseNames.join(',')}]   the phases to run; default: all
npm run test:slowest   the specs that took most of the processors in the last run`;

function chosenPhases(only: string | undefined): PhaseName[] {
  const names = only?.split(',') ?? phaseNames;
  const unknown = names.filter((name) => !phaseNames.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`no such phase: ${unknown.join(', ')}\n${usage}`);
  return phaseNames.filter((name) => names.includes(name));
}

async function main(names: readonly PhaseName[]) {
  const removeTemporaryFiles = keepTemporaryFilesInMemory(process.env);
  const options = optionsFrom(process.env);
  if (names.some(startsJava)) await spareJava(options.serversFolder);
  const servers = sharedServers(process.env, options);
  stopOnSignal(() => servers.stop().finally(removeTemporaryFiles));
  const work = phases(options, servers);
  const times = new Map<PhaseName, string>();
  let total: Tally = nothing;
  const began = performance.now();
  const run = async (name: PhaseName) => {
    print(`\n── ${name} ──`);
    const started = performance.now();
    const tally = await work[name]().catch((error: unknown) =>
      failure(`${name}: ${error instanceof Error ? error.message : String(error)}`),
    );
    times.set(name, `${name} ${secondsSince(started)} s`);
    total = add(total, tally);
  };
  await runTracks(names, async (name) => {
    if (names.length === 1) return run(name);
    console.log(`${name} begins after ${secondsSince(began)} s`);
    return gatherOutput(() => run(name));
  });
  await servers.stop();
  removeTemporaryFiles();
  const lines = phaseNames.flatMap((name) => times.get(name) ?? []);
  const cpu = `together ${secondsSince(began)} s, ${cpuSeconds().toFixed(0)} CPU s on ${String(availableParallelism())} cores`;
  if (options.allRequired) total = demandAll(total);
  report(names.some(runsTests) ? demandTests(total) : total, [...lines, cpu]);
}

const secondsSince = (started: number) => ((performance.now() - started) / 1_000).toFixed(1);

/** Steps that only check or build execute no test, so none is missed where only they were asked for. */
const runsTests = (name: PhaseName) => !['lockfile', 'lint', 'build'].includes(name);

const startsJava = (name: PhaseName) => ['int', 'e2e', 'faults', 'cluster'].includes(name);

function report(total: Tally, times: readonly string[]) {
  console.log(`\nTimes: ${times.join(', ')}`);
  for (const line of [...skippedLines(total), ...failureLines(total)]) console.log(line);
  console.log(lastLine(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/** The servers are ours: an interrupted run must not leave them behind. */
function stopOnSignal(stop: () => Promise<void>) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      printUnfinished();
      void stop().finally(() => process.exit(code));
    });
  }
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, slowest: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) console.log(usage);
else if (values.slowest) console.log(slowest(await readTimes(), SLOWEST_SHOWN).join('\n'));
else await main(chosenPhases(values.only));

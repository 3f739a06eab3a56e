import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command';
import { failure, type Tally } from './tally';

const report = join('reports', 'simulation.json');
/** The same worlds each time, so that a failure belongs to the change; long runs try others. */
const args = ['--lives', '200', '--seed', '1', '--report', report];
/** The search for planted faults takes most of the time: `npm run test:full` does it. */
const mutants = process.env.DSR_SIMULATION === 'full' ? ['--mutants', 'all'] : [];

/**
 * A short simulation of all services, and in full the planted faults (docs/simulation.md): a test for each batch of
 * worlds and each fault.
 */
export async function runSimulation(): Promise<Tally> {
  await rm(report, { force: true });
  const endedWell = await run('node', ['tools/run.mjs', 'tools/simulation/simulation.ts', ...args, ...mutants]);
  return tallyOf(endedWell, await readFile(report, 'utf8').catch(() => undefined));
}

/** What the simulation reported; one that ended badly without saying why broke down. */
export function tallyOf(endedWell: boolean, text: string | undefined): Tally {
  const told = text === undefined ? undefined : (JSON.parse(text) as Tally);
  return told && (endedWell || told.failed > 0) ? told : failure('simulation: it broke down');
}

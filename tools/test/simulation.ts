import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command';
import { reportedTally, type Tally } from './tally';

const report = join('reports', 'simulation.json');
/** The same worlds each time, so that a failure belongs to the change; long runs try others. */
const args = ['--seed', '1', '--report', report];
/** The short form: two worlds, and one whose stores stall. Mutants and the crowd take most of the time. */
const size =
  process.env.DSR_SIMULATION === 'full' ? ['--lives', '300', '--mutants', 'all'] : ['--lives', '60', '--no-crowd'];

/**
 * A short simulation of all services, and in full the planted faults (docs/simulation.md): a test for each batch of
 * worlds and each fault.
 */
export async function runSimulation(): Promise<Tally> {
  await rm(report, { force: true });
  const command = ['tools/run.mjs', 'tools/simulation/simulation.ts', ...args, ...size];
  const endedWell = await run('node', command, {}, { yieldsTo: 'all' });
  return reportedTally('simulation', endedWell, await readFile(report, 'utf8').catch(() => undefined));
}

import { join } from 'node:path';
import { bundleWorlds } from './bundle';
import { runChild, sideBySide } from './children';
import type { Mutant } from './mutant';
import { MUTANTS } from './mutants';
import type { SimulationOptions } from './options';
import type { UnchangedRuns } from './unchanged-runs';
import { breaksOneOf, type WorldReport } from './report';
import { WORLD_KINDS, nextOf } from './scale';
import type { Tests } from './tests';

/** A planted fault must show within so many worlds. */
const MOST_WORLDS = 60;

interface Search {
  readonly root: string;
  /** Where bundles lie. */
  readonly folder: string;
  readonly options: SimulationOptions;
  /** The sources as they are, to compare with. */
  readonly unchanged: UnchangedRuns;
  readonly tests: Tests;
}

/**
 * Plants each fault that was asked for, and lives through worlds until one breaks a rule that it is to break and that
 * the sources as they are do not break there.
 */
export async function findMutants(search: Search): Promise<void> {
  const { mutants: wanted, processes } = search.options;
  if (wanted === undefined) return;
  const mutants = MUTANTS.filter(({ name }) => wanted === 'all' || name.includes(wanted));
  if (mutants.length === 0)
    throw new Error(`no mutant is called ${wanted}; there are: ${MUTANTS.map(({ name }) => name).join(', ')}`);
  await sideBySide(
    mutants.map((mutant) => () => findOne(mutant, search)),
    processes,
  );
}

async function findOne(mutant: Mutant, search: Search): Promise<void> {
  const began = performance.now();
  const { lives, found } = await untilFound(mutant, search).catch((error: unknown) => {
    console.log(`${mutant.name}: ${String(error)}`);
    return { lives: 0, found: undefined };
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const rules = [...new Set(found?.violations.map(({ invariant }) => invariant))];
  const isFault = found !== undefined && (await search.unchanged.isClean(found.seed));
  const where = found ? ` in world ${found.seed}, which broke: ${rules.join('; ')}` : '';
  console.log(`${mutant.name}: ${isFault ? 'found' : 'NOT FOUND'}${where} (${lives} lives, ${seconds} s)`);
  search.tests.note(`simulation finds: ${mutant.name}`, isFault);
}

async function untilFound(
  mutant: Mutant,
  { root, folder, options }: Search,
): Promise<{ lives: number; found: WorldReport | undefined }> {
  const file = join(folder, `mutant-${MUTANTS.indexOf(mutant)}.mjs`);
  await bundleWorlds(root, file, mutant.patches);
  let lives = 0;
  let found: WorldReport | undefined;
  await runChild(
    file,
    { seeds: seedsFor(mutant, options.seed), stopsAt: mutant.breaks, wholeDiary: false },
    (world) => {
      lives += world.lives;
      if (breaksOneOf(world, mutant.breaks)) found = world;
    },
  );
  return { lives, found };
}

function seedsFor({ needs }: Mutant, seed: number): number[] {
  const kind = needs ? WORLD_KINDS[needs] : { first: 0, every: 1 };
  return Array.from({ length: MOST_WORLDS }, (_, n) => nextOf(kind, seed) + n * kind.every);
}

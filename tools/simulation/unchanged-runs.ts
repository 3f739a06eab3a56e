import { runChild, sideBySide } from './children';
import type { SimulationOptions } from './options';
import type { WorldReport } from './report';
import { isOf, WORLD_KINDS, LIVES, nextOf } from './scale';
import type { Tests } from './tests';

/** Worlds in one child; each such batch counts as one test. */
const BATCH = 5;
const MOST_PRINTED = 10;
/** A long run prints its progress after this many lives. */
const PRINT_EVERY = 1_000;

/**
 * The seed's world and those after it. Several worlds include a crowded one, one with stalling stores and one with
 * generations that end: only these show that groups are bounded, leases are kept and keys end.
 */
function seedsOf({ lives, seed, crowd }: SimulationOptions): number[] {
  const seeds = Array.from({ length: Math.ceil(lives / LIVES) }, (_, n) => seed + n);
  if (seeds.length === 1) return seeds;
  const kinds = [...(crowd ? [WORLD_KINDS.crowd] : []), WORLD_KINDS.stalls, WORLD_KINDS.rotation];
  const missing = kinds.filter((kind) => !seeds.some((one) => isOf(kind, one)));
  return [...seeds, ...missing.map((kind) => nextOf(kind, seed))];
}

/** Runs worlds of the unchanged sources. */
export class UnchangedRuns {
  private lives = 0;
  private steps = 0;
  private torn = 0;
  private firstCourse: string | undefined;
  private readonly clean = new Map<number, boolean>();

  constructor(
    private readonly file: string,
    private readonly options: SimulationOptions,
    private readonly tests: Tests,
  ) {}

  async run(): Promise<void> {
    const { seed, processes } = this.options;
    const seeds = seedsOf(this.options);
    const batches = Array.from({ length: Math.ceil(seeds.length / BATCH) }, (_, n) =>
      seeds.slice(n * BATCH, (n + 1) * BATCH),
    );
    const began = performance.now();
    await sideBySide(
      batches.map((batch) => () => this.runBatch(batch)),
      processes,
    );
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `${this.lives} lives in ${seeds.length} worlds from seed ${seed}, ${this.steps} steps, ` +
        `${this.torn} bulk writes done in part, ` +
        `${seconds.toFixed(1)} s, ${(this.lives / seconds).toFixed(1)} lives a second`,
    );
    if (seeds.length > 1) this.tests.note('simulation: some bulk writes are done in part', this.torn > 0);
  }

  /** Runs the first world again: it must take the same course, or no seed would replay. */
  async replay(): Promise<void> {
    const { seed } = this.options;
    let course: string | undefined;
    await runChild(this.file, { seeds: [seed], stopsAt: [], wholeDiary: false }, (world) => (course = world.course));
    this.tests.note(
      `simulation: world ${seed} takes the same course again`,
      course !== undefined && course === this.firstCourse,
    );
  }

  /** Whether a world breaks no rule with the unchanged sources. One that does cannot show a planted fault. */
  async isClean(seed: number): Promise<boolean> {
    const known = this.clean.get(seed);
    if (known !== undefined) return known;
    await runChild(this.file, { seeds: [seed], stopsAt: [], wholeDiary: false }, (world) =>
      this.clean.set(seed, world.violations.length === 0),
    );
    return this.clean.get(seed) ?? false;
  }

  private add({ lives, steps, torn }: WorldReport): void {
    const before = this.lives;
    this.lives += lives;
    this.steps += steps;
    this.torn += torn;
    if (Math.floor(this.lives / PRINT_EVERY) > Math.floor(before / PRINT_EVERY)) console.log(`${this.lives} lives`);
  }

  private async runBatch(batch: readonly number[]): Promise<void> {
    const { diary, seed } = this.options;
    const seen: WorldReport[] = [];
    const code = await runChild(this.file, { seeds: batch, stopsAt: [], wholeDiary: diary }, (world) => {
      seen.push({ ...world, diary: [] });
      this.clean.set(world.seed, world.violations.length === 0);
      this.add(world);
      if (world.seed === seed) this.firstCourse = world.course;
      if (world.violations.length > 0) printViolations(world);
      else for (const line of world.diary) console.log(line);
    });
    const broken = seen.filter(({ violations }) => violations.length > 0).map((world) => world.seed);
    const reason =
      broken.length > 0 ? ` (${broken.join(', ')} broke a rule)` : code === 0 ? '' : ' (the process broke off)';
    this.tests.note(`simulation: worlds ${batch.join(', ')}${reason}`, reason === '' && seen.length === batch.length);
  }
}

function printViolations({ seed, violations, diary }: WorldReport): void {
  console.log(`World ${seed} broke a rule`);
  for (const { invariant, srid, what } of violations.slice(0, MOST_PRINTED))
    console.log(`  ${invariant}: request ${srid}: ${what}`);
  for (const line of diary) console.log(`    ${line}`);
  console.log(`  again: npm run simulation -- --seed ${seed} --lives 1 --diary`);
}

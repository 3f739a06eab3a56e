import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { takeOver } from './engine/takeover';
import { violationsOf, type Violation } from './invariants';
import { breaksOneOf, type Order, type WorldReport } from './report';
import { liveThrough, type Outcome } from './world';

const MOST_LINES = 400;

/** A real process would end with each of these. */
const unhandled: Violation[] = [];
process.on('unhandledRejection', (error) =>
  unhandled.push({
    invariant: 'no rejection is left alone',
    srid: '',
    what: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }),
);

/** What concerns the first life that broke a rule, and all crashes and incidents around it. */
function diaryOf({ diary }: Outcome, violations: readonly Violation[], isWhole: boolean): readonly string[] {
  const [first] = violations;
  if (isWhole) return diary;
  return first ? diary.filter((line) => line.includes(first.srid)).slice(-MOST_LINES) : [];
}

async function report(seed: number, wholeDiary: boolean): Promise<WorldReport> {
  const outcome = await liveThrough(seed);
  const violations = [...violationsOf(outcome), ...unhandled.splice(0)];
  const course = createHash('sha256').update(outcome.diary.join('\n')).digest('hex');
  return {
    seed,
    lives: outcome.plans.length,
    steps: outcome.steps,
    torn: outcome.torn,
    violations,
    course,
    diary: diaryOf(outcome, violations, wholeDiary),
  };
}

takeOver();
const { seeds, stopsAt, wholeDiary } = JSON.parse(process.argv[2] ?? '') as Order;
for (const seed of seeds) {
  const world = await report(seed, wholeDiary);
  process.stdout.write(`${JSON.stringify(world)}\n`);
  if (breaksOneOf(world, stopsAt)) break;
}

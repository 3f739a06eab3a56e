import { ParkedAdmin, type ParkedHead } from '@opendsr-service/messaging';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { flag, optional, UsageError, wholeNumber, type Given } from '../options';
import { jsonOption, show } from '../output';
import { shownId } from './parked-facts';
import { filters, ofService, optionalId } from './parked-options';
import { filterOf, withLots, withParked, type Found, type Lot } from './parked.module';
import { settled } from './progress.module';

const MAX_WAIT_SECONDS = 86_400;
const options = {
  id: optionalId,
  ...ofService,
  ...filters,
  all: flag,
  wait: optional('SECONDS', wholeNumber(1, MAX_WAIT_SECONDS)),
  ...jsonOption,
};
type Wanted = Given<typeof options>;

/** `dsr parked redrive`: has records handled again by the service that parked them (docs/parked.md). */
export const parkedRedrive = command({
  words: 'parked redrive',
  meaning:
    'has parked records handled again by the service that parked them, in the order of each key; what waits behind them goes on after them. ' +
    'Takes --id, --service or --all. A service that is stopped does so at its next start. --wait says what became of them: exit code 1 where some were parked again or still wait',
  options,
  run: (given, terminal) => {
    const { id } = given;
    check(given);
    if (id !== undefined)
      return withParked(terminal, id, (found) =>
        redrive({ given, terminal, lots: [found] }, (run) => markOne(found, run)),
      );
    return withLots(terminal, given.service, (lots) =>
      redrive({ given, terminal, lots }, (run) => markAll(lots, given, run)),
    );
  },
});

function check({ id, service, all, workspace, reason }: Wanted): void {
  if ([id, service, all].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('give one of --id, --service and --all');
  if (id !== undefined && (workspace ?? reason) !== undefined)
    throw new UsageError('--id names one record: --workspace and --reason choose among many');
}

/** What a call waits for: what it marked, and what was marked before it. */
interface Marked {
  readonly marked: number;
  readonly markedAlready: number;
}

async function markOne({ admin, head }: Found, run: string): Promise<Marked> {
  const before = await admin.findBlocker(head);
  if (before)
    throw new CommandError(
      `${shownId(head._id)} waits behind ${shownId(before._id)}: redrive that one, and this goes on after it`,
    );
  return markPage(admin, [head], run);
}

async function markAll(lots: readonly Lot[], given: Wanted, run: string): Promise<Marked> {
  let sum: Marked = { marked: 0, markedAlready: 0 };
  for (const lot of lots) {
    for await (const page of lot.admin.listPages(filterOf(lot, given))) {
      const { marked, markedAlready } = await markPage(lot.admin, page, run);
      sum = { marked: sum.marked + marked, markedAlready: sum.markedAlready + markedAlready };
    }
  }
  return sum;
}

/** In this order: who is marked by somebody else in between is joined all the same. */
async function markPage(admin: ParkedAdmin, page: readonly ParkedHead[], run: string): Promise<Marked> {
  const marked = await admin.markForRedrive(page, run);
  return { marked, markedAlready: await admin.join(page, run) };
}

interface Call {
  readonly given: Wanted;
  readonly terminal: Terminal;
  readonly lots: readonly Lot[];
}

const lineOf = ({ marked, markedAlready: already }: Marked): string =>
  already === 0 ? `marked ${marked}` : `marked ${marked} (${already} ${already === 1 ? 'was' : 'were'} marked already)`;

async function redrive({ given, terminal, lots }: Call, mark: (run: string) => Promise<Marked>): Promise<number> {
  const waitMs = (given.wait ?? 0) * 1_000;
  const untilMs = () => terminal.now().getTime() + waitMs;
  const run = ParkedAdmin.runUntil(new Date(untilMs()));
  const found = await mark(run);
  if (given.wait === undefined) {
    show(terminal, given, found, () => [
      `${lineOf(found)}: the service handles them again within seconds, or where it is stopped, at its next start`,
    ]);
    return EXIT.ok;
  }
  const progress = await settled({ lots, run, untilMs: untilMs(), terminal });
  const { waiting, parkedAgain, behind } = progress;
  show(
    terminal,
    given,
    { ...found, done: found.marked + found.markedAlready - waiting - parkedAgain, ...progress },
    ({ done }) => [
      `${lineOf(found)}: ${done} done, ${parkedAgain} parked again, ${waiting} waiting`,
      ...(behind.parkedAgain + behind.waiting > 0
        ? [`of those behind them: ${behind.parkedAgain} parked again, ${behind.waiting} waiting`]
        : []),
    ],
  );
  return waiting + parkedAgain + behind.waiting + behind.parkedAgain === 0 ? EXIT.ok : EXIT.failed;
}

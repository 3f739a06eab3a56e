import type { ToolAction } from '@opendsr-service/gateway/operation';
import type { RedriveCall } from '@opendsr-service/messaging';
import { requestOf, shownId, type ParkedRecords } from '@opendsr-service/operator-answers';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { flag, optional, UsageError, wholeNumber, type Given } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor, answerOf } from '../participants/answered-for';
import { filters, ofService, optionalId } from './parked-options';
import { filterOf, withAllParked, withParked, type Found } from './parked.wiring';
import { settled } from './progress.wiring';

const MAX_WAIT_SECONDS = 86_400;
const options = {
  id: optionalId,
  ...ofService,
  ...filters,
  all: flag,
  wait: optional('SECONDS', wholeNumber(1, MAX_WAIT_SECONDS)),
  ...answeredFor,
  ...jsonOption,
};
type Wanted = Given<typeof options>;

/** `dsr parked redrive` (docs/parked.md). */
export const parkedRedrive = command({
  words: 'parked redrive',
  meaning:
    'lets the service that parked records handle them again, in the order of each key; records behind ' +
    'them follow. Takes --id, --service or --all. A stopped service handles them at its next ' +
    'start. --wait prints the results: exit code 1 if some were parked again or still wait',
  options,
  run: (given, terminal) => {
    const { id } = given;
    check(given);
    if (id !== undefined)
      return withParked(terminal, id, async (found, { audit }) => {
        await audit({ ...entryOf(given, terminal), ...requestOf(found.head.key), record: shownId(found.head._id) });
        return report(given, terminal, await markOne(found));
      });
    return withAllParked(terminal, given.service, async (services, { audit }) => {
      const { service } = given;
      await audit({ ...entryOf(given, terminal), ...(service !== undefined && { service }) });
      return report(given, terminal, await markAll(services, given));
    });
  },
});

/** Of many: in which workspace, or in all. */
const entryOf = (given: Wanted, { now }: Pick<Terminal, 'now'>): ToolAction => ({
  ...{ ws: given.workspace ?? '', srid: '' },
  action: 'parked-redrive-asked',
  ...answerOf(given),
  at: now(),
});

function check({ id, service, all, workspace, reason, kind }: Wanted): void {
  if ([id, service, all].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('give one of --id, --service and --all');
  if (id !== undefined && (workspace ?? reason ?? kind) !== undefined)
    throw new UsageError('--id names one record: --workspace, --reason and --kind choose among many');
}

async function markOne({ records, head }: Found): Promise<readonly RedriveCall[]> {
  const call = await records.redrive(head);
  if (typeof call === 'string')
    throw new CommandError(`${shownId(head._id)} waits behind ${shownId(call)}: redrive that one; this one follows`);
  return [call];
}

async function markAll(services: readonly ParkedRecords[], given: Wanted): Promise<readonly RedriveCall[]> {
  const calls: RedriveCall[] = [];
  for (const records of services) calls.push(await records.redriveAll(filterOf(given)));
  return calls;
}

interface Marked {
  readonly marked: number;
  readonly markedAlready: number;
}

const lineOf = ({ marked, markedAlready: already }: Marked): string =>
  already === 0 ? `marked ${marked}` : `marked ${marked} (${already} ${already === 1 ? 'was' : 'were'} marked already)`;

async function report(given: Wanted, terminal: Terminal, calls: readonly RedriveCall[]): Promise<number> {
  const found = {
    marked: calls.reduce((sum, { marked }) => sum + marked, 0),
    markedAlready: calls.reduce((sum, { markedAlready }) => sum + markedAlready, 0),
  };
  if (given.wait === undefined) {
    show(terminal, given, found, () => [
      `${lineOf(found)}: the service handles them again within seconds or, if it is stopped, at its next start`,
    ]);
    return EXIT.ok;
  }
  const progress = await settled(calls, terminal.now().getTime() + given.wait * 1_000, terminal);
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

import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { jsonOption, show } from '../output';
import { requestOf, shownId } from './parked-facts';
import { because, by, id, MOST_BEHIND } from './parked-options';
import { withParked } from './parked.module';

/** `dsr parked drop`: gives up on a record that can never be handled (docs/parked.md). */
export const parkedDrop = command({
  words: 'parked drop',
  meaning:
    'gives up on a parked record for good, which is noted with NAME and TEXT; what waits behind it ' +
    'then goes on. What the record asked for never happens',
  options: { id, by, because, ...jsonOption },
  run: (given, terminal) =>
    withParked(terminal, given.id, async ({ head, admin }, audit) => {
      const record = shownId(head._id);
      const before = await admin.findBlocker(head);
      if (before && !head.aside)
        throw new CommandError(`${record} waits behind ${shownId(before._id)}: look at that one first`);
      const behind = await admin.countBehind(head, MOST_BEHIND);
      await audit.add({
        ...(requestOf(head.key) ?? { ws: '', srid: '' }),
        action: 'parked-drop-asked',
        record,
        by: given.by,
        because: given.because,
        at: terminal.now(),
      });
      if (!(await admin.drop(head._id))) throw new CommandError(`${record} is just being handled again: ask once more`);
      show(terminal, given, { dropped: record, behind }, () => [
        `dropped ${record}`,
        behind === 0
          ? 'nothing waits behind it'
          : `${behind} that wait behind it go on now, or where the service is stopped, at its next start`,
      ]);
      return EXIT.ok;
    }),
});

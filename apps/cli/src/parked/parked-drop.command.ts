import { TOPICS } from '@opendsr-service/contracts';
import { MOST_BEHIND, requestOf, shownId } from '@opendsr-service/operator-answers';
import { leafKeyOf } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { openSeal } from '../keyed-stores.wiring';
import { jsonOption, show } from '../output';
import { because, by, id } from './parked-options';
import { withParked } from './parked.wiring';

/** `dsr parked drop` (docs/parked.md). */
export const parkedDrop = command({
  words: 'parked drop',
  meaning:
    'gives up a parked record permanently and notes NAME and TEXT; the records behind it follow. What ' +
    'the record asked for never happens',
  options: { id, by, because, ...jsonOption },
  run: (given, terminal) =>
    withParked(terminal, given.id, async ({ head, records }, { audit, publisher, storage }) => {
      const record = shownId(head._id);
      const before = await records.blockerOfDrop(head);
      if (before) throw new CommandError(`${record} waits behind ${shownId(before._id)}: handle that one first`);
      const behind = await records.admin.countBehind(head, MOST_BEHIND);
      const entry = {
        ...(requestOf(head.key) ?? { ws: '', srid: '' }),
        action: 'parked-drop-asked' as const,
        ...{ record, by: given.by, because: given.because, at: terminal.now() },
      };
      const leafKey = leafKeyOf(await openSeal(terminal, storage));
      const { auditedLeaf } = await import('@opendsr-service/gateway/operation');
      const id = await audit(entry);
      // Before the drop, so that none is without its leaf.
      await publisher.publish(TOPICS.evidenceLeaves.name, [auditedLeaf(id, entry, leafKey)]);
      if (!(await records.admin.drop(head._id)))
        throw new CommandError(`${record} is being handled again: try again later`);
      show(terminal, given, { dropped: record, behind }, () => [
        `dropped ${record}`,
        behind === 0
          ? 'nothing waits behind it'
          : `${behind} that wait behind it follow now or, if the service is stopped, at its next start`,
      ]);
      return EXIT.ok;
    }),
});

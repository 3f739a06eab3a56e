import { requestEvents } from '@opendsr-service/contracts';
import { leafHash, RunningRoot } from '@opendsr-service/transparency';
import { hasEnded, type Admission } from '../final-state';
import { digestsOf, distinctDigests } from './digests';
import type { Invariant } from './violation';

export const logHasOneHistory: Invariant = {
  name: 'the public log has one history',
  check: ({ history, final }) => {
    const running = new RunningRoot();
    const roots = [running.root()];
    for (const { entry } of final.leaves) {
      running.add(leafHash(Buffer.from(entry)));
      roots.push(running.root());
    }
    return history.checkpoints
      .filter(({ size, root }) => !roots[size]?.equals(root))
      .map(({ size }) => ({ srid: '', what: `a checkpoint of ${size} leaves is none of the log in the end` }));
  },
};

export const everyReceiptIsLogged: Invariant = {
  name: 'every receipt is in the public log once',
  check: ({ final }) => {
    const digests = digestsOf(final, 'receipt');
    return final.admissions.flatMap(({ srid, receipt }) => {
      const count = digests.filter((digest) => digest === receipt).length;
      return receipt === undefined || count === 1 ? [] : [{ srid, what: `its receipt is logged ${count} times` }];
    });
  },
};

export const everyEndIsAttested: Invariant = {
  name: 'every ended request has exactly one attestation in the log',
  check: ({ final }) => {
    const digests = digestsOf(final, 'attestation');
    const ofNone = digests.filter((digest) => !final.attestations.some((one) => one.digest === digest));
    const wrong = final.admissions.filter(hasEnded).flatMap(({ srid }) => {
      const own = final.attestations.filter((one) => one.srid === srid && one.statement === 1);
      const logged = own.map(({ digest }) => digests.filter((one) => one === digest).length);
      return logged.length === 1 && logged[0] === 1
        ? []
        : [{ srid, what: `its attestations are logged [${logged.join()}] times` }];
    });
    return [...wrong, ...ofNone.map(() => ({ srid: '', what: 'the log has an attestation that nobody has' }))];
  },
};

export const oneCheckpointOfEachSize: Invariant = {
  name: 'no two checkpoints of one size differ',
  check: ({ history }) =>
    [...Map.groupBy(history.checkpoints, ({ size }) => size)]
      .filter(([, same]) => same.some(({ root }) => !root.equals(same[0]?.root ?? root)))
      .map(([size]) => ({ srid: '', what: `two checkpoints of ${size} leaves differ` })),
};

/** However often, and by how many at once, it was asked for. */
export const everyExtensionCountsOnce: Invariant = {
  name: 'an extension counts once, and is in the public log once',
  check: ({ history, final }) => {
    const leaves = digestsOf(final, 'extension');
    const events = Map.groupBy(
      history.events.filter(({ record }) => requestEvents.isOfType(record, ['DeadlineExtended'])),
      ({ record }) => requestEvents.decode(record).srid,
    );
    const known = [...events.values()].flatMap(distinctDigests);
    const wrong = final.admissions.flatMap((admission) => {
      const { srid, extendedUntil } = admission;
      const digests = distinctDigests(events.get(srid) ?? []);
      const isSaid = history.extensions.some((one) => one.srid === srid && one.answer === 'done');
      const what = extendedUntil
        ? faultOfExtension(admission, digests, leaves)
        : (isSaid || digests.length > 0) && 'it was extended, and its legal date is the old one';
      return what ? [{ srid, what }] : [];
    });
    const ofNone = leaves.filter((digest) => !known.includes(digest));
    return [...wrong, ...ofNone.map(() => ({ srid: '', what: 'the log has an extension that is no event' }))];
  },
};

function faultOfExtension(
  { dueBy, extendedUntil }: Admission,
  [digest, ...others]: readonly string[],
  leaves: readonly string[],
): string | undefined {
  if (digest === undefined) return 'its extension is no event';
  if (others.length > 0) return `its extension is ${1 + others.length} events`;
  if (dueBy?.getTime() !== extendedUntil?.getTime()) return 'it is due by another date than it was extended to';
  const count = leaves.filter((one) => one === digest).length;
  return count === 1 ? undefined : `its extension is logged ${count} times`;
}

import { leafHash, RunningRoot } from '@opendsr-service/transparency';
import { hasEnded, type FinalState } from '../final-state';
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
      const own = final.attestations.filter((one) => one.srid === srid);
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

const digestsOf = ({ leaves }: FinalState, kind: string): string[] =>
  leaves
    .map(({ entry }) => JSON.parse(entry) as { kind: string; digest: string })
    .flatMap((leaf) => (leaf.kind === kind ? leaf.digest : []));

import { leafHash, RunningRoot } from '@opendsr-service/transparency';
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
    const digests = final.leaves.map(({ entry }) => (JSON.parse(entry) as { digest: string }).digest);
    return final.admissions.flatMap(({ srid, receipt }) => {
      const count = digests.filter((digest) => digest === receipt).length;
      return receipt === undefined || count === 1 ? [] : [{ srid, what: `its receipt is logged ${count} times` }];
    });
  },
};

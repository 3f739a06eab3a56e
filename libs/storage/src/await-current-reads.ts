import type { Collection } from 'mongoose';

type Filter<D extends object> = Parameters<Collection<D>['updateOne']>[0];
type Change<D extends object> = Parameters<Collection<D>['updateOne']>[1];

/**
 * Makes the next read see all that was acknowledged before. Right after an election a majority read may miss the latest of
 * it. A write that changes nothing is answered once a majority has all before it. For what is missed where it must not be:
 * `filter` names one document, which may exist.
 */
export async function awaitCurrentReads<D extends object>(
  collection: Pick<Collection<D>, 'updateOne'>,
  filter: Filter<D>,
): Promise<void> {
  await collection.updateOne(filter, { $unset: { neverSet: 1 } } as unknown as Change<D>);
}

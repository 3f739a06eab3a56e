import type { Collection } from 'mongoose';

/** As right after an election: what this collection finds is nothing, until an update was answered. */
export function missUntilWrite<D extends object>(collection: Collection<D>): void {
  const { find, updateOne } = Object.fromEntries(
    (['find', 'updateOne'] as const).map((name) => [name, collection[name].bind(collection)]),
  ) as Pick<Collection<D>, 'find' | 'updateOne'>;
  const methods = {
    find: () => find({ _id: { $in: [] } } as unknown as Parameters<Collection<D>['find']>[0]),
    updateOne: async (...args: Parameters<Collection<D>['updateOne']>) => {
      const result = await updateOne(...args);
      for (const name of Object.keys(methods)) Reflect.deleteProperty(collection, name);
      return result;
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(collection, name, { value, configurable: true });
}

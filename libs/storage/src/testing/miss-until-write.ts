import type { Collection } from 'mongoose';

/** As right after an election: this collection finds nothing that `missed` matches, by default nothing at all, until an update was answered. */
export function missUntilWrite<D extends object>(
  collection: Collection<D>,
  missed: Parameters<Collection<D>['find']>[0] = {},
): void {
  const { find, updateOne } = Object.fromEntries(
    (['find', 'updateOne'] as const).map((name) => [name, collection[name].bind(collection)]),
  ) as Pick<Collection<D>, 'find' | 'updateOne'>;
  const methods = {
    find: (filter: typeof missed = {}, options?: Parameters<Collection<D>['find']>[1]) =>
      find({ $and: [filter, { $nor: [missed] }] } as typeof missed, options),
    updateOne: async (...args: Parameters<Collection<D>['updateOne']>) => {
      const result = await updateOne(...args);
      for (const name of Object.keys(methods)) Reflect.deleteProperty(collection, name);
      return result;
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(collection, name, { value, configurable: true });
}

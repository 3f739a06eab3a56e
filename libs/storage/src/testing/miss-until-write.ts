import type { Collection } from 'mongoose';

/** As right after an election: this collection finds nothing that `missed` matches, by default nothing at all, until an update was answered. */
export function missUntilWrite<D extends object>(
  collection: Collection<D>,
  missed: Parameters<Collection<D>['find']>[0] = {},
): void {
  const { find, findOne, updateOne } = Object.fromEntries(
    (['find', 'findOne', 'updateOne'] as const).map((name) => [name, collection[name].bind(collection)]),
  ) as Pick<Collection<D>, 'find' | 'findOne' | 'updateOne'>;
  const seen = (filter: typeof missed = {}) => ({ $and: [filter, { $nor: [missed] }] }) as typeof missed;
  const methods = {
    find: (filter?: typeof missed, options?: Parameters<Collection<D>['find']>[1]) => find(seen(filter), options),
    findOne: (filter?: typeof missed, options?: Parameters<Collection<D>['find']>[1]) => findOne(seen(filter), options),
    updateOne: async (...args: Parameters<Collection<D>['updateOne']>) => {
      const result = await updateOne(...args);
      for (const name of Object.keys(methods)) Reflect.deleteProperty(collection, name);
      return result;
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(collection, name, { value, configurable: true });
}

import type { Connection } from 'mongoose';

/** The process that wrote is no more. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

const WRITES = new Set(['insertMany', 'insertOne', 'updateOne', 'updateMany', 'deleteMany', 'deleteOne', 'bulkWrite']);

/** A connection of a process that dies after so many writes: everything that it does then fails, also its tidying up. */
export function dyingConnection(connection: Connection, writes: number): Connection {
  let left = writes;
  const mortal = <T extends object>(collection: T): T =>
    new Proxy(collection, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = value as (...args: unknown[]) => unknown;
        return (...args: unknown[]) => {
          if (left < 0 || (WRITES.has(String(name)) && left-- <= 0)) return fail();
          return call.apply(target, args);
        };
      },
    });
  const fail = (): Promise<never> => {
    left = -1;
    return Promise.reject(new Killed('killed'));
  };
  return new Proxy(connection, {
    get: (target, name) => {
      if (name === 'collection') return (of: string) => mortal(target.collection(of));
      if (name === 'model')
        return (...of: Parameters<Connection['model']>) => ({ collection: mortal(target.model(...of).collection) });
      return Reflect.get(target, name) as unknown;
    },
  });
}

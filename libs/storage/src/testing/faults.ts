import type { Connection } from 'mongoose';
import { FULL } from './full';

const writes = new Set([
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'findOneAndUpdate',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
]);

/**
 * From one death to the next, where a spec lets a process die at each of its writes: the short form tries every eighth.
 */
export const WRITES_BETWEEN_DEATHS = FULL ? 1 : 8;

/** Makes a process die at a write: that write and all later ones throw, on every connection and publisher that shares it. */
export class Faults {
  private done = 0;
  private diesAt = Infinity;

  /** The write of this number, counted from now, is the first that is not done. */
  dieAt(write: number): void {
    this.done = 0;
    this.diesAt = write;
  }

  get dead(): boolean {
    return this.done >= this.diesAt;
  }

  write(): void {
    if (this.dead || ++this.done >= this.diesAt) throw new Error('planted crash');
  }

  connection(connection: Connection): Connection {
    const faulty = (collection: object): object =>
      new Proxy(collection, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]): unknown => {
            if (writes.has(String(name))) this.write();
            return Reflect.apply(member, target, args);
          };
        },
      });
    const withFaulty = (model: { collection: object }): object =>
      new Proxy(model, {
        get: (target, name) =>
          name === 'collection' ? faulty(target.collection) : (Reflect.get(target, name, target) as unknown),
      });
    return new Proxy(connection, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(member, target, args);
          return name === 'collection'
            ? faulty(answer as object)
            : name === 'model'
              ? withFaulty(answer as { collection: object })
              : answer;
        };
      },
    });
  }
}

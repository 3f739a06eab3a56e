import mongoose, { type Connection } from 'mongoose';
import { openStorage, type Storage } from '@opendsr-service/storage';
import type { Chance } from '../engine/chance';
import type { Mortal } from '../engine/scheduler';
import type { Gate, Work } from '../engine/step';
import type { Leases } from './leases';
import { scatteredBy } from './scattered-queries';
import type { Stalls } from './stalls';

/** What a process waits for the store at most before it gives up. */
const PATIENCE_MS = 10_000;

const READS = new Set(['findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct']);
const WRITES = new Set([
  ...['insertOne', 'insertMany', 'bulkWrite', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'],
  ...['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'createIndex', 'createIndexes', 'dropIndex', 'drop'],
]);
const CURSORS = new Set(['find', 'aggregate', 'listIndexes']);

type Verb = (...args: unknown[]) => unknown;
interface Cursor {
  toArray(): Promise<unknown[]>;
}

/** As the driver reports it: whether the write took effect is unknown. */
const away = (): Error => new mongoose.mongo.MongoNetworkError('the simulated store does not answer');

interface Way {
  readonly ask: <T>(work: Work<T>) => Promise<T>;
  /** Hears of each write that was done. */
  readonly written: (collection: string, args: readonly unknown[]) => void;
  /** Hears of each query and write that names no shard key. */
  readonly scattered: (query: string) => void;
  readonly chance: Chance;
  /** Ends the asker. */
  readonly crash: () => void;
}

/** The operations of a bulk write that can be done in part; undefined for any other write. */
const operationsOf = (verb: string, [operations]: readonly unknown[]): readonly unknown[] | undefined =>
  verb === 'bulkWrite' && Array.isArray(operations) && operations.length > 1 ? operations : undefined;

/** The asker's way to one collection: every operation waits for its turn. */
class GatedCollection {
  constructor(
    private readonly way: Way,
    private readonly name: string,
  ) {}

  over(collection: object): object {
    return new Proxy(collection, {
      get: (target, verb) => {
        const member: unknown = Reflect.get(target, verb, target);
        if (typeof member !== 'function') return member;
        const call: Verb = (...args) => {
          for (const query of scatteredBy(this.name, String(verb), args)) this.way.scattered(query);
          return Reflect.apply(member, target, args) as unknown;
        };
        if (CURSORS.has(String(verb)))
          return (...args: unknown[]) => this.cursor(String(verb), call(...args) as Cursor);
        if (READS.has(String(verb))) return (...args: unknown[]) => this.read(String(verb), () => call(...args));
        if (WRITES.has(String(verb))) return (...args: unknown[]) => this.write(String(verb), args, call);
        return call;
      },
    });
  }

  private read(verb: string, run: () => unknown): Promise<unknown> {
    return this.way.ask({
      what: `${this.name}.${verb}`,
      mayBe: ['refused'],
      patienceMs: PATIENCE_MS,
      run: (fate) => {
        if (fate === 'refused') throw away();
        return run();
      },
    });
  }

  private write(verb: string, args: readonly unknown[], call: Verb): Promise<unknown> {
    const operations = operationsOf(verb, args);
    return this.way.ask({
      what: `${this.name}.${verb}`,
      mayBe: ['refused', 'lost', ...(operations ? (['torn'] as const) : [])],
      patienceMs: PATIENCE_MS,
      run: async (fate) => {
        if (fate === 'refused') throw away();
        if (fate === 'torn' && operations) return this.tear(operations, args.slice(1), call);
        const done = await call(...args);
        this.way.written(this.name, args);
        if (fate === 'lost') throw away();
        return done;
      },
    });
  }

  /** Does some of the operations, the first ones where their order counts. The asker hears an error, or dies. */
  private async tear(operations: readonly unknown[], options: readonly unknown[], call: Verb): Promise<never> {
    const { chance, crash, written } = this.way;
    const isOrdered = (options[0] as { readonly ordered?: boolean } | undefined)?.ordered !== false;
    const count = chance.between(1, operations.length - 1);
    const some = isOrdered
      ? operations.slice(0, count)
      : operations.filter((_, index) => index !== count && chance.happens(0.5));
    // Which of them were refused is not heard either.
    if (some.length > 0) await Promise.resolve(call(some, ...options)).catch(() => undefined);
    written(this.name, [some]);
    if (chance.happens(0.5)) crash();
    throw away();
  }

  /** What a cursor finds it finds at one moment. */
  private cursor(verb: string, cursor: Cursor): object {
    const toArray = (): Promise<unknown[]> => this.read(verb, () => cursor.toArray()) as Promise<unknown[]>;
    const proxy: object = new Proxy(cursor, {
      get: (target, name) => {
        if (name === 'toArray') return toArray;
        if (name === Symbol.asyncIterator) return () => eachOf(toArray);
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(member, target, args);
          return answer === target ? proxy : answer;
        };
      },
    });
    return proxy;
  }
}

async function* eachOf(toArray: () => Promise<unknown[]>): AsyncGenerator<unknown> {
  yield* await toArray();
}

interface GatedStorageParts {
  readonly dataDir: string;
  readonly gate: Gate;
  readonly leases: Leases;
  readonly stalls: Stalls;
  readonly chance: Chance;
  readonly scattered: (query: string) => void;
}

/**
 * The real embedded store for one of several processes: its operations wait for their turn and fail like a server's. It
 * claims to be MongoDB, because claims that it finds may belong to a living process.
 */
export async function gatedStorage(
  owner: Mortal,
  { dataDir, gate, leases, stalls, chance, scattered }: GatedStorageParts,
): Promise<Storage> {
  const storage = await openStorage({ dataDir });
  const gated = new WeakSet<Connection>();
  const way: Way = {
    ask: (work) => gate.enter(owner, { ...work, isReady: stalls.next(`${owner.name}: ${work.what}`) }),
    written: (collection, args) => leases.note(owner, collection, args),
    scattered,
    chance,
    crash: () => owner.crash(),
  };
  return {
    ...storage,
    kind: 'mongodb',
    database: async (name) => {
      const connection = await storage.database(name);
      if (gated.has(connection)) return connection;
      gated.add(connection);
      const db = connection.db as unknown as { collection(name: string): object };
      const collections = db.collection.bind(db);
      Object.assign(db, {
        collection: (of: string) => new GatedCollection(way, `${name}.${of}`).over(collections(of)),
      });
      return connection;
    },
  };
}

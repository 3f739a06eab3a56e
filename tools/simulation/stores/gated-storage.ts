import mongoose, { type Connection } from 'mongoose';
import { openStorage, type Storage } from '@opendsr-service/storage';
import type { Owner } from '../engine/owner';
import type { Gate, Work } from '../engine/step';
import type { Leases } from './leases';
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
}

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
        const call: Verb = (...args) => Reflect.apply(member, target, args) as unknown;
        if (CURSORS.has(String(verb)))
          return (...args: unknown[]) => this.cursor(String(verb), call(...args) as Cursor);
        if (READS.has(String(verb))) return (...args: unknown[]) => this.read(String(verb), () => call(...args));
        if (WRITES.has(String(verb)))
          return (...args: unknown[]) => this.write(String(verb), args, () => call(...args));
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

  private write(verb: string, args: readonly unknown[], run: () => unknown): Promise<unknown> {
    return this.way.ask({
      what: `${this.name}.${verb}`,
      mayBe: ['refused', 'lost'],
      patienceMs: PATIENCE_MS,
      run: async (fate) => {
        if (fate === 'refused') throw away();
        const done = await run();
        this.way.written(this.name, args);
        if (fate === 'lost') throw away();
        return done;
      },
    });
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
}

/**
 * The real embedded store for one of several processes: its operations wait for their turn and fail like a server's. It
 * claims to be MongoDB, because claims that it finds may belong to a living process.
 */
export async function gatedStorage(
  owner: Owner,
  { dataDir, gate, leases, stalls }: GatedStorageParts,
): Promise<Storage> {
  const storage = await openStorage({ dataDir });
  const gated = new WeakSet<Connection>();
  const way: Way = {
    ask: (work) => gate.enter(owner, { ...work, isReady: stalls.next(`${owner.name}: ${work.what}`) }),
    written: (collection, args) => leases.note(owner, collection, args),
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

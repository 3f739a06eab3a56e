import mongoose from 'mongoose';
import type { SqliteFile } from '../sqlite/file';
import type { Doc } from './bson';
import { decodeToReturn } from './bson';
import { badValue, EmbeddedUnsupported } from './errors';
import { specFrom, type IndexSpec } from './index/definition';
import { createIndex, dropIndex, indexesOf } from './index/manage';
import { checkOptions } from './options';
import { batchesOf, firstDoc } from './read/batches';
import { countByKeys } from './read/count';
import type { Source } from './read/batches';
import type { CursorOptions } from './read/cursor';
import { FindCursor } from './read/cursor';
import { listOf, type List } from './read/list';
import { compileProjection } from './read/projection';
import { queryFrom } from './read/query';
import { refuseOthers } from './refuse';
import type { BulkStep } from './write/bulk';
import { bulkStep, emptyTally, insertStep, runSteps } from './write/bulk';
import type { Changed, Intent, Modification } from './write/operations';
import { changeOne, changeRows, matchingRows, removeMatches, replacementFrom, updateFrom } from './write/operations';
import { bulkResult, updateResult } from './write/results';

/** Long writes run in pieces, with other writes in between. They are not atomic in MongoDB either. */
const pieceSize = 100;

interface FindOptions extends CursorOptions {
  readonly sort?: unknown;
}

interface UpdateOptions {
  readonly upsert?: boolean;
}

interface OrderOptions {
  readonly ordered?: boolean;
}

const finding = ['sort', 'limit', 'projection', 'batchSize'];

function intentFrom(filter: unknown, modification: Modification, { upsert = false }: UpdateOptions = {}): Intent {
  return { query: queryFrom(filter), modification, upsert };
}

/** The part of the MongoDB driver's collection that the service uses, on a SQLite file. Other methods throw. */
export class EmbeddedCollection {
  constructor(
    private readonly file: SqliteFile,
    readonly collectionName: string,
  ) {}

  async insertOne(document: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'insertOne');
    const step = insertStep(this.collectionName, document);
    const tally = emptyTally();
    await this.file.write((db) => step(db, tally, 0));
    return { acknowledged: true, insertedId: tally.insertedIds[0]?._id };
  }

  async insertMany(documents: unknown, options: OrderOptions = {}): Promise<Doc> {
    checkOptions(options, 'insertMany', ['ordered']);
    if (!Array.isArray(documents) || documents.length === 0) throw badValue('insertMany needs documents');
    const { insertedCount, insertedIds } = await this.bulk(
      documents.map((document) => insertStep(this.collectionName, document)),
      options,
    );
    return { acknowledged: true, insertedCount, insertedIds };
  }

  async bulkWrite(operations: readonly unknown[], options: OrderOptions = {}): ReturnType<EmbeddedCollection['bulk']> {
    checkOptions(options, 'bulkWrite', ['ordered']);
    if (operations.length === 0) throw badValue('Invalid BulkOperation, Batch cannot be empty');
    return this.bulk(
      operations.map((operation) => bulkStep(this.collectionName, operation)),
      options,
    );
  }

  find(filter?: unknown, options: FindOptions = {}): FindCursor {
    checkOptions(options, 'find', finding);
    return new FindCursor(this.source, queryFrom(filter, options.sort), options);
  }

  async findOne(filter?: unknown, options: FindOptions = {}): Promise<Doc | null> {
    checkOptions(options, 'findOne', finding);
    const project = compileProjection(options.projection);
    const [doc] = firstDoc(this.source, queryFrom(filter, options.sort));
    return Promise.resolve(doc && project ? project(doc) : (doc ?? null));
  }

  async countDocuments(filter?: unknown, options: CursorOptions = {}): Promise<number> {
    checkOptions(options, 'countDocuments', ['limit']);
    const { limit = 0 } = options;
    const query = queryFrom(filter);
    const counted = await countByKeys(this.source, query, limit || Infinity);
    if (counted !== undefined) return counted;
    let count = 0;
    for await (const batch of batchesOf(this.source, query)) {
      count += batch.length;
      if (limit && count >= limit) return limit;
    }
    return count;
  }

  async updateOne(filter: unknown, update: unknown, options: UpdateOptions = {}): Promise<Doc> {
    checkOptions(options, 'updateOne', ['upsert']);
    return updateResult(await this.change(intentFrom(filter, updateFrom(update), options)));
  }

  async replaceOne(filter: unknown, replacement: unknown, options: UpdateOptions = {}): Promise<Doc> {
    checkOptions(options, 'replaceOne', ['upsert']);
    return updateResult(await this.change(intentFrom(filter, replacementFrom(replacement), options)));
  }

  async updateMany(filter: unknown, update: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'updateMany');
    const intent = intentFrom(filter, updateFrom(update));
    const rows = this.file.read((db) => matchingRows(db, this.collectionName, intent.query));
    if (rows.length === 0) return updateResult(await this.change(intent));
    let [matched, modified] = [0, 0];
    for (let at = 0; at < rows.length; at += pieceSize) {
      const piece = rows.slice(at, at + pieceSize);
      const changed = await this.file.write((db) => changeRows(db, this.collectionName, piece, intent));
      matched += changed.matched;
      modified += changed.modified;
    }
    return updateResult({ matched, modified });
  }

  async deleteOne(filter: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'deleteOne');
    const query = queryFrom(filter);
    const gone = await this.file.write((db) => removeMatches(db, this.collectionName, query, 1));
    return { acknowledged: true, deletedCount: gone };
  }

  async deleteMany(filter: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'deleteMany');
    const query = queryFrom(filter);
    let deletedCount = 0;
    for (let gone = pieceSize; gone === pieceSize; deletedCount += gone) {
      gone = await this.file.write((db) => removeMatches(db, this.collectionName, query, pieceSize));
    }
    return { acknowledged: true, deletedCount };
  }

  async findOneAndUpdate(
    filter: unknown,
    update: unknown,
    options: { readonly returnDocument?: 'before' | 'after'; readonly projection?: unknown } = {},
  ): Promise<Doc | null> {
    checkOptions(options, 'findOneAndUpdate', ['projection', 'returnDocument']);
    if (options.returnDocument !== 'after') throw new EmbeddedUnsupported('to return a document from before an update');
    const project = compileProjection(options.projection);
    const { after } = await this.change(intentFrom(filter, updateFrom(update)));
    const doc = after ? decodeToReturn(after) : null;
    return doc && project ? project(doc) : doc;
  }

  async createIndex(keys: Doc, options: Doc = {}): Promise<string> {
    return this.makeIndex(specFrom(keys, options));
  }

  async createIndexes(specs: readonly ({ key: Doc } & Doc)[], options: Doc = {}): Promise<string[]> {
    checkOptions(options, 'createIndexes');
    const parsed = specs.map(({ key, ...rest }) => specFrom(key, rest));
    const names: string[] = [];
    for (const spec of parsed) names.push(await this.makeIndex(spec));
    return names;
  }

  async dropIndex(name: string, options?: object): Promise<Doc> {
    checkOptions(options, 'dropIndex');
    await this.file.write((db) => dropIndex(db, this.collectionName, name));
    return { ok: 1 };
  }

  listIndexes(options?: object): List {
    checkOptions(options, 'listIndexes');
    return listOf(() => this.file.read((db) => indexesOf(db, this.collectionName)));
  }

  /** In pages, each on disk before the next, with other writes in between. A later call goes on where one was ended. */
  private async makeIndex(spec: IndexSpec): Promise<string> {
    for (let isBegun = false; ; isBegun = true) {
      const made = await this.file.write((db) => createIndex(db, this.collectionName, spec, isBegun));
      if (typeof made === 'string') return made;
      if (made) throw made;
    }
  }

  private get source(): Source {
    return { file: this.file, collection: this.collectionName, read: decodeToReturn };
  }

  private change(intent: Intent): Promise<Changed> {
    return this.file.write((db) => changeOne(db, this.collectionName, intent));
  }

  private async bulk(
    steps: readonly BulkStep[],
    { ordered = true }: OrderOptions,
  ): Promise<ReturnType<typeof bulkResult>> {
    const tally = emptyTally();
    for (let at = 0; at < steps.length; at += pieceSize) {
      const piece = { steps: steps.slice(at, at + pieceSize), offset: at, ordered };
      if (await this.file.write((db) => runSteps(db, piece, tally))) break;
    }
    return bulkResult(tally, ordered);
  }
}

refuseOthers(EmbeddedCollection.prototype, mongoose.mongo.Collection.prototype, 'collection');

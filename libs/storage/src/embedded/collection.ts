import type { DatabaseSync } from 'node:sqlite';
import mongoose from 'mongoose';
import type { SqliteFile } from '../sqlite/file';
import type { Doc, Promotions } from './bson';
import { decoderFor } from './bson';
import { badValue } from './errors';
import { specFrom } from './index/definition';
import { createIndex, dropIndex, indexesOf } from './index/manage';
import { checkOptions } from './options';
import { batchesOf, firstDoc } from './read/batches';
import { countByKeys } from './read/count';
import type { Source } from './read/batches';
import type { CursorOptions } from './read/cursor';
import { FindCursor } from './read/cursor';
import { ListCursor } from './read/list-cursor';
import { compileProjection } from './read/projection';
import { queryFrom } from './read/query';
import { refuseOthers } from './refuse';
import type { BulkStep } from './write/bulk';
import { bulkStep, emptyTally, insertStep, runSteps } from './write/bulk';
import type { Changed, Intent, Modification } from './write/operations';
import { changeOne, changeRows, matchingRows, removeMatches, replacementFrom, updateFrom } from './write/operations';
import { bulkResult, updateResult, withMetadata } from './write/results';

/** Long writes run in pieces, with other writes in between. They are not atomic in MongoDB either. */
const pieceSize = 100;

interface FindOptions extends CursorOptions, Promotions {
  readonly sort?: unknown;
}

interface ModifyOptions extends FindOptions {
  readonly upsert?: boolean;
  readonly returnDocument?: 'before' | 'after';
  readonly includeResultMetadata?: boolean;
}

const finding = ['sort', 'limit', 'projection', 'batchSize', 'allowDiskUse'];
const modifying = ['sort', 'projection', 'returnDocument', 'includeResultMetadata'];

function intentFrom(filter: unknown, modification: Modification, { sort, upsert = false }: ModifyOptions): Intent {
  return { query: queryFrom(filter, sort), modification, upsert };
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
    await this.write((db) => step(db, tally, 0));
    return { acknowledged: true, insertedId: tally.insertedIds[0]?._id };
  }

  async insertMany(documents: unknown, options: { ordered?: boolean } = {}): Promise<Doc> {
    checkOptions(options, 'insertMany');
    if (!Array.isArray(documents) || documents.length === 0) throw badValue('insertMany needs documents');
    const { insertedCount, insertedIds } = await this.bulk(
      documents.map((document) => insertStep(this.collectionName, document)),
      options,
    );
    return { acknowledged: true, insertedCount, insertedIds };
  }

  async bulkWrite(
    operations: readonly unknown[],
    options: { ordered?: boolean } = {},
  ): ReturnType<EmbeddedCollection['bulk']> {
    checkOptions(options, 'bulkWrite');
    if (operations.length === 0) throw badValue('Invalid BulkOperation, Batch cannot be empty');
    return this.bulk(
      operations.map((operation) => bulkStep(this.collectionName, operation)),
      options,
    );
  }

  find(filter?: unknown, options: FindOptions = {}): FindCursor {
    checkOptions(options, 'find', finding);
    return new FindCursor(this.source(options), queryFrom(filter, options.sort), options);
  }

  async findOne(filter?: unknown, options: FindOptions = {}): Promise<Doc | null> {
    checkOptions(options, 'findOne', finding);
    const project = compileProjection(options.projection);
    const [doc] = firstDoc(this.source(options), queryFrom(filter, options.sort));
    if (!doc) return Promise.resolve(null);
    return project ? project(doc) : doc;
  }

  async countDocuments(filter?: unknown, options: CursorOptions = {}): Promise<number> {
    checkOptions(options, 'countDocuments', ['limit']);
    const { limit = 0 } = options;
    const query = queryFrom(filter);
    const counted = await countByKeys(this.source({}), query, limit || Infinity);
    if (counted !== undefined) return counted;
    let count = 0;
    for await (const batch of batchesOf(this.source({}), query)) {
      count += batch.length;
      if (limit && count >= limit) return limit;
    }
    return count;
  }

  async updateOne(filter: unknown, update: unknown, options: ModifyOptions = {}): Promise<Doc> {
    checkOptions(options, 'updateOne', ['sort']);
    return updateResult(await this.change(intentFrom(filter, updateFrom(update), options)));
  }

  async replaceOne(filter: unknown, replacement: unknown, options: ModifyOptions = {}): Promise<Doc> {
    checkOptions(options, 'replaceOne', ['sort']);
    return updateResult(await this.change(intentFrom(filter, replacementFrom(replacement), options)));
  }

  async updateMany(filter: unknown, update: unknown, options: ModifyOptions = {}): Promise<Doc> {
    checkOptions(options, 'updateMany');
    const intent = intentFrom(filter, updateFrom(update), options);
    const rows = this.file.read((db) => matchingRows(db, this.collectionName, intent.query));
    if (rows.length === 0) return updateResult(await this.change(intent));
    let [matched, modified] = [0, 0];
    for (let at = 0; at < rows.length; at += pieceSize) {
      const piece = rows.slice(at, at + pieceSize);
      const changed = await this.write((db) => changeRows(db, this.collectionName, piece, intent));
      matched += changed.matched;
      modified += changed.modified;
    }
    return updateResult({ matched, modified });
  }

  async deleteOne(filter: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'deleteOne');
    const query = queryFrom(filter);
    const gone = await this.write((db) => removeMatches(db, this.collectionName, query, 1).length);
    return { acknowledged: true, deletedCount: gone };
  }

  async deleteMany(filter: unknown, options?: object): Promise<Doc> {
    checkOptions(options, 'deleteMany');
    const query = queryFrom(filter);
    let deletedCount = 0;
    for (let gone = pieceSize; gone === pieceSize; deletedCount += gone) {
      gone = await this.write((db) => removeMatches(db, this.collectionName, query, pieceSize).length);
    }
    return { acknowledged: true, deletedCount };
  }

  async findOneAndUpdate(filter: unknown, update: unknown, options: ModifyOptions = {}): Promise<Doc | null> {
    checkOptions(options, 'findOneAndUpdate', modifying);
    const changed = await this.change(intentFrom(filter, updateFrom(update), options));
    const bytes = options.returnDocument === 'after' ? changed.after : changed.before;
    const project = compileProjection(options.projection);
    const doc = bytes ? decoderFor(options)(bytes) : null;
    const value = doc && project ? project(doc) : doc;
    return options.includeResultMetadata ? withMetadata(value, changed) : value;
  }

  async createIndex(keys: Doc, options: Doc = {}): Promise<string> {
    const { session, writeConcern, ...rest } = options;
    checkOptions({ session, writeConcern }, 'createIndex');
    const spec = specFrom(keys, rest);
    return this.file.write((db) => createIndex(db, this.collectionName, spec));
  }

  async createIndexes(specs: readonly ({ key: Doc } & Doc)[], options: Doc = {}): Promise<string[]> {
    checkOptions(options, 'createIndexes');
    const parsed = specs.map(({ key, ...rest }) => specFrom(key, rest));
    return this.file.write((db) => parsed.map((spec) => createIndex(db, this.collectionName, spec)));
  }

  async dropIndex(name: string, options?: object): Promise<Doc> {
    checkOptions(options, 'dropIndex');
    await this.file.write((db) => dropIndex(db, this.collectionName, name));
    return { ok: 1 };
  }

  listIndexes(options?: object): ListCursor {
    checkOptions(options, 'listIndexes');
    return new ListCursor(async () => Promise.resolve(this.file.read((db) => indexesOf(db, this.collectionName))));
  }

  private source(options: Promotions): Source {
    return { file: this.file, collection: this.collectionName, read: decoderFor(options) };
  }

  /** These writes refuse before their first change, so none needs an undo. */
  private write<T>(work: (db: DatabaseSync) => T): Promise<T> {
    return this.file.write(work, { undo: false });
  }

  private change(intent: Intent): Promise<Changed> {
    return this.write((db) => changeOne(db, this.collectionName, intent));
  }

  private async bulk(
    steps: readonly BulkStep[],
    { ordered = true }: { ordered?: boolean },
  ): Promise<ReturnType<typeof bulkResult>> {
    const tally = emptyTally();
    for (let at = 0; at < steps.length; at += pieceSize) {
      const piece = { steps: steps.slice(at, at + pieceSize), offset: at, ordered };
      if (await this.write((db) => runSteps(db, piece, tally))) break;
    }
    return bulkResult(tally, ordered);
  }
}

refuseOthers(EmbeddedCollection.prototype, mongoose.mongo.Collection.prototype, 'collection');

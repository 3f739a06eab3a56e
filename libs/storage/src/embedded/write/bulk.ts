import type { DatabaseSync } from 'node:sqlite';
import mongoose from 'mongoose';
import type { Doc } from '../bson';
import { decode, encode, isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { makeCollection } from '../index/catalog';
import { queryFrom } from '../read/query';
import { checkOptions } from '../options';
import { withId } from '../update/upsert';
import { insertDocument } from './documents';
import type { Changed } from './operations';
import { changeOne, changeRows, matchingRows, removeMatches, replacementFrom, updateFrom } from './operations';

export interface BulkTally {
  insertedIds: { index: number; _id: unknown }[];
  upserted: { index: number; _id: unknown }[];
  nInserted: number;
  nMatched: number;
  nModified: number;
  nRemoved: number;
  writeErrors: WriteError[];
}

interface WriteError {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
  readonly err: { index: number; code: number; errmsg: string };
}

export type BulkStep = (db: DatabaseSync, tally: BulkTally, index: number) => void;

export const emptyTally = (): BulkTally => ({
  insertedIds: [],
  upserted: [],
  nInserted: 0,
  nMatched: 0,
  nModified: 0,
  nRemoved: 0,
  writeErrors: [],
});

function counted(tally: BulkTally, index: number, { matched, modified, upsertedId }: Changed): void {
  tally.nMatched += matched;
  tally.nModified += modified;
  if (upsertedId !== undefined) tally.upserted.push({ index, _id: upsertedId });
}

export function insertStep(name: string, document: unknown): BulkStep {
  if (!isPlainObject(document)) throw badValue('A document to insert must be an object');
  const doc = withId(document);
  document['_id'] ??= doc['_id'];
  const bytes = encode(doc);
  const stored = decode(bytes);
  return (db, tally, index) => {
    insertDocument(makeCollection(db, name), stored, bytes);
    tally.nInserted += 1;
    tally.insertedIds.push({ index, _id: doc['_id'] });
  };
}

function changeStep(name: string, { filter, upsert, update, replacement, ...options }: Doc, many: boolean): BulkStep {
  checkOptions(options, 'bulkWrite');
  const modification = replacement === undefined ? updateFrom(update) : replacementFrom(replacement);
  const intent = { query: queryFrom(filter), modification, upsert: upsert === true };
  return (db, tally, index) => {
    const rows = many ? matchingRows(db, name, intent.query) : [];
    const changed = rows.length > 0 ? changeRows(db, name, rows, intent) : changeOne(db, name, intent);
    counted(tally, index, changed);
  };
}

function removeStep(name: string, { filter, ...options }: Doc): BulkStep {
  checkOptions(options, 'bulkWrite');
  const query = queryFrom(filter);
  return (db, tally) => {
    tally.nRemoved += removeMatches(db, name, query, 1);
  };
}

const kinds: Record<string, (name: string, operation: Doc) => BulkStep> = {
  insertOne: (name, { document }) => insertStep(name, document),
  updateOne: (name, operation) => changeStep(name, operation, false),
  updateMany: (name, operation) => changeStep(name, operation, true),
  replaceOne: (name, operation) => changeStep(name, operation, false),
  deleteOne: removeStep,
};

export function bulkStep(name: string, operation: unknown): BulkStep {
  const [kind = '', body] = Object.entries((operation ?? {}) as Doc)[0] ?? [];
  const compile = kinds[kind];
  if (!compile || !isPlainObject(body)) throw new EmbeddedUnsupported(`the bulk operation '${kind}'`);
  return compile(name, body);
}

export interface Piece {
  readonly steps: readonly BulkStep[];
  readonly offset: number;
  readonly ordered: boolean;
}

export function runSteps(db: DatabaseSync, { steps, offset, ordered }: Piece, tally: BulkTally): boolean {
  for (const [n, step] of steps.entries()) {
    try {
      step(db, tally, offset + n);
    } catch (error) {
      if (!(error instanceof mongoose.mongo.MongoServerError)) throw error;
      const err = { index: offset + n, code: Number(error.code), errmsg: error.message };
      tally.writeErrors.push({ ...err, err });
      if (ordered) return true;
    }
  }
  return false;
}

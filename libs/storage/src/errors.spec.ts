import mongoose from 'mongoose';
import { areDuplicates, duplicateKey, isStorageUnavailable } from './errors';
import { SqliteFileUnusable } from './sqlite/sqlite-errors';

const { mongo } = mongoose;
const server = (code: number, more: object = {}): Error => new mongo.MongoServerError({ message: 'no', code, ...more });
const ownCause = (): Error => {
  const error = new Error('x');
  return Object.assign(error, { cause: error });
};
const sqlite = (errcode: number): Error =>
  Object.assign(new Error('database is busy'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('errors of the stores', () => {
  it.each([
    ['the network', new mongo.MongoNetworkError('gone')],
    ['no server', new mongo.MongoServerSelectionError('none', {} as never)],
    ['no primary', server(10107)],
    ['a shutdown', server(11600)],
    ['a majority that does not answer', server(64)],
    ['a label of the driver', Object.assign(server(1), { errorLabelSet: new Set(['RetryableWriteError']) })],
    ['a busy file', sqlite(5)],
    ['a locked file', sqlite(262)],
    ['a full disk', sqlite(13)],
    ['a failed flush', new SqliteFileUnusable('closed')],
    [
      'the network in the middle of a bulk write',
      new mongo.MongoBulkWriteError(new mongo.MongoNetworkError('gone'), {} as never),
    ],
    [
      'no server for a bulk write',
      new mongo.MongoBulkWriteError(new mongo.MongoServerSelectionError('none', {} as never), {} as never),
    ],
    ['a user who was removed', server(13)],
    ['a password that was changed', server(18)],
    ['any of these as a cause', new Error('admission failed', { cause: server(91) })],
  ])('%s is a fault of the infrastructure', (_, error) => {
    expect(isStorageUnavailable(error)).toBe(true);
  });

  it.each([
    ['a duplicate', server(11000)],
    ['a bad update', server(2)],
    [
      'a duplicate of a bulk write',
      new mongo.MongoBulkWriteError({ message: 'no', code: 11000, writeErrors: [] }, {} as never),
    ],
    ['a constraint', sqlite(19)],
    ['a bug', new TypeError('x')],
    ['nothing', undefined],
    ['an error that is its own cause', ownCause()],
  ])('%s is none', (_, error) => {
    expect(isStorageUnavailable(error)).toBe(false);
  });

  it.each([
    ['duplicates alone', [11000, 11000], undefined, true],
    ['a duplicate and something else', [11000, 121], undefined, false],
    ['none', [], undefined, false],
    ['a duplicate, and no majority', [11000], { code: 64 }, false],
  ])('a bulk write with %s: whether all that it missed is there', (_, codes, concern, areThere) => {
    const error = new mongo.MongoBulkWriteError(
      { message: 'no', code: 11000, writeErrors: codes.map((code) => ({ code })) as never },
      { getWriteConcernError: () => concern } as never,
    );
    expect(areDuplicates(error)).toBe(areThere);
    expect(areDuplicates(server(11000))).toBe(false);
  });

  it('knows a duplicate by its code, and gives only the pattern of the index', () => {
    expect(duplicateKey(server(11000, { keyPattern: { ws: 1 }, keyValue: { ws: 'secret' } }))).toEqual({
      keyPattern: { ws: 1 },
    });
    expect(duplicateKey(server(2))).toBeUndefined();
    expect(duplicateKey({ code: 11000 })).toBeUndefined();
  });
});

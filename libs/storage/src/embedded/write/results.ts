import mongoose from 'mongoose';
import { nativeDriver } from '../../native-driver';
import type { Doc } from '../bson';
import type { BulkTally } from './bulk';
import type { Changed } from './operations';

const { MongoBulkWriteError } = mongoose.mongo;
type BulkWriteResult = InstanceType<ReturnType<typeof nativeDriver>['BulkWriteResult']>;

/** The result of a bulk write; throws MongoBulkWriteError where one of its operations failed. */
export function bulkResult(tally: BulkTally, ordered: boolean): BulkWriteResult {
  const { BulkWriteResult: Result } = nativeDriver();
  const result = new Result({ ok: 1, writeConcernErrors: [], nUpserted: tally.upserted.length, ...tally }, ordered);
  const [first] = tally.writeErrors;
  if (first)
    throw new MongoBulkWriteError(
      { message: first.errmsg, code: first.code, writeErrors: tally.writeErrors as never },
      result,
    );
  return result;
}

export function updateResult({ matched, modified, upsertedId = null }: Changed): Doc {
  return {
    acknowledged: true,
    modifiedCount: modified,
    upsertedId,
    upsertedCount: upsertedId === null ? 0 : 1,
    matchedCount: matched,
  };
}

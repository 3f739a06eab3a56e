import mongoose from 'mongoose';
import { isError, isSqliteUnavailable } from './sqlite/sqlite-errors';

const { mongo } = mongoose;

/** MongoDB's code of a duplicate. */
export const DUPLICATE_KEY = 11_000;

/** E11000: the pattern of the index, without values; empty for a bulk write. Undefined for every other error. */
export function duplicateKey(error: unknown): { keyPattern: Record<string, unknown> } | undefined {
  if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  return { keyPattern: (error['keyPattern'] as Record<string, unknown> | undefined) ?? {} };
}

/** Whether a bulk write failed only where a document is there already. */
export function areDuplicates(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) return false;
  const failed = [error.writeErrors].flat();
  return failed.length > 0 && failed.every(({ code }) => code === DUPLICATE_KEY);
}

const unavailableNames = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'MongoClientClosedError',
]);

/** Host unreachable or not found, a user who may not do it (any more), shutting down, no primary, no majority, a time limit. */
const unavailableCodes = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 112, 189, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
]);

/** A cause may lead back to its error. */
const MOST_CAUSES = 6;

/** An error of the infrastructure, not of the call: the same call may succeed later. Checks causes too. */
export const isStorageUnavailable = (error: unknown): boolean => isAway(error, MOST_CAUSES);

function isAway(error: unknown, depth: number): boolean {
  if (depth === 0 || !isError(error)) return false;
  if (isSqliteUnavailable(error) || unavailableNames.has(error.name)) return true;
  if (
    error instanceof mongo.MongoError &&
    (error.hasErrorLabel('RetryableWriteError') || unavailableCodes.has(Number(error.code)))
  )
    return true;
  return isAway(error.cause, depth - 1) || isAway(withinBulk(error), depth - 1);
}

/** The driver wraps the error of a bulk write and drops its name and some of its labels. */
const withinBulk = (error: Error): unknown =>
  error instanceof mongo.MongoBulkWriteError ? error.errorResponse : undefined;

import { DatabaseSync } from 'node:sqlite';
import mongoose from 'mongoose';
import { KafkaJSConnectionError, KafkaJSNumberOfRetriesExceeded, KafkaJSProtocolError } from 'kafkajs';
import { ErrorSummary } from './error-summary';

const summaryOf = (error: unknown): unknown => JSON.parse(JSON.stringify(new ErrorSummary(error)));
const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED planted'), { code: 'ECONNREFUSED', syscall: 'connect' });

it('names an error of any name form, and its causes', () => {
  class Silent extends Error {
    override readonly name = 'Silent';
  }
  expect(summaryOf(new TypeError('planted', { cause: new Silent('planted') }))).toEqual({
    name: 'TypeError',
    cause: { name: 'Silent' },
  });
});

it('includes the protocol type and code of a Kafka error', () => {
  const answered = new KafkaJSProtocolError(
    Object.assign(new Error('planted'), { type: 'NOT_LEADER_FOR_PARTITION', code: 6, retriable: true }),
  );
  expect(summaryOf(new KafkaJSNumberOfRetriesExceeded(answered, { retryCount: 1, retryTime: 1 }))).toEqual({
    name: 'KafkaJSNumberOfRetriesExceeded',
    cause: { name: 'KafkaJSProtocolError', type: 'NOT_LEADER_FOR_PARTITION', code: '6' },
  });
});

it('includes the cause of a failed connection', () => {
  expect(
    JSON.stringify(summaryOf(new KafkaJSConnectionError(refused(), { broker: 'planted:9092', code: 'ECONNREFUSED' }))),
  ).toMatch(/"name":"KafkaJSConnectionError","code":"ECONNREFUSED"/);
  const servers = Object.assign(Object.create({ constructor: { name: 'TopologyDescription' } }) as object, {
    error: refused(),
  });
  const away = Object.assign(new mongoose.Error.MongooseServerSelectionError('planted'), { cause: servers });
  expect(summaryOf(away)).toEqual({
    name: 'MongooseServerSelectionError',
    cause: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' },
  });
});

it("includes MongoDB's code by number and name", () => {
  const stepped = new mongoose.mongo.MongoServerError({
    message: 'planted',
    code: 189,
    codeName: 'PrimarySteppedDown',
    errmsg: 'planted',
  });
  expect(summaryOf(stepped)).toMatchObject({ name: 'MongoServerError', code: '189', codeName: 'PrimarySteppedDown' });
});

it('includes what SQLite says of its result code, and not its message', () => {
  const database = new DatabaseSync(':memory:');
  const failing = (sql: string): unknown => {
    try {
      database.exec(sql);
    } catch (error) {
      return error;
    }
    throw new Error('did not fail');
  };
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)');
  expect(summaryOf(failing('INSERT INTO t VALUES (zeroblob(100000))'))).toEqual({
    ...{ name: 'Error', code: 'ERR_SQLITE_ERROR', message: 'database or disk is full' },
  });
  expect(summaryOf(failing('SELECT planted'))).toEqual({
    ...{ name: 'Error', code: 'ERR_SQLITE_ERROR', message: 'SQL logic error' },
  });
  database.close();
});

it.each([
  ['Planted', 'string'],
  [undefined, 'undefined'],
  [null, 'null'],
  [new Map(), 'Map'],
])('reports a thrown %p as NotAnError, with its type', (thrown, kind) => {
  expect(summaryOf(thrown)).toEqual({ name: 'NotAnError', thrown: kind });
});

it('keeps the code of a thrown object', () => {
  expect(summaryOf({ code: 'E_ODD', message: 'planted' })).toEqual({
    name: 'NotAnError',
    thrown: 'Object',
    code: 'E_ODD',
  });
});

it('repeats no message and no text that may be a value', () => {
  const error = Object.assign(new Error('ann@example.com'), {
    name: 'ann@example.com',
    code: 'ann@example.com',
    type: { planted: 1 },
    syscall: 'two words',
  });
  expect(summaryOf(error)).toEqual({ name: 'Error' });
  expect(summaryOf(Object.assign(new Error('said'), { holdsNoValues: true }))).toEqual({
    name: 'Error',
    message: 'said',
  });
});

it('includes stack frames only on request, without the message', () => {
  expect(new ErrorSummary(new Error('planted\n    at planted')).stack).toBeUndefined();
  const { stack } = new ErrorSummary(new Error('planted\n    at planted'), { stack: true });
  expect(stack).toContain('error-summary.spec');
  expect(stack).not.toContain('planted');
});

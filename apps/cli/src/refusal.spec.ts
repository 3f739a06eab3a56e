import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GroupInUse, PublishRefused, UnknownTopic } from '@opendsr-service/messaging';
import { ProjectionError } from '@opendsr-service/replay';
import { DataDirectoryHeld } from '@opendsr-service/storage';
import { loadMasterKey, VaultError } from '@opendsr-service/vault';
import mongoose from 'mongoose';
import { EXIT } from './command';
import { CommandError } from './command-error';
import { refusalOf } from './refusal';

const PLANTED = 'mongodb://root:hunter2@db.internal/ann@example.com';
const kafka = (name: string, more: object) => Object.assign(new Error(PLANTED), { name, ...more });
const server = (code: number) => new mongoose.mongo.MongoServerError({ message: PLANTED, code });
const refused = (error: unknown) => refusalOf(error);

it.each([
  ['an error of nobody', new Error(PLANTED), EXIT.failed, 'the command failed (Error)'],
  ['a fault of our own', new TypeError(PLANTED), EXIT.failed, 'the command failed (TypeError)'],
  ['a value that is none', PLANTED, EXIT.failed, 'the command failed (unknown)'],
  [
    'a name and a code that are sentences',
    Object.assign(new Error(), { name: PLANTED, code: PLANTED }),
    EXIT.failed,
    'the command failed (Error)',
  ],
  [
    'a duplicate, whose value the driver names',
    server(11000),
    EXIT.failed,
    'the command failed (MongoServerError 11000)',
  ],
  [
    'a disk that is full',
    Object.assign(new Error(PLANTED), { errcode: 13, code: 'ERR_SQLITE_ERROR' }),
    EXIT.away,
    'the stores are not available now (Error ERR_SQLITE_ERROR)',
  ],
  [
    'a port that is taken',
    Object.assign(new Error(PLANTED), { code: 'EADDRINUSE' }),
    EXIT.failed,
    'another program uses the port (EADDRINUSE)',
  ],
  [
    'a file that this user may not read',
    Object.assign(new Error(PLANTED), { code: 'EACCES' }),
    EXIT.failed,
    'this user may not use a file, folder or port (EACCES)',
  ],
  [
    'a generation of keys that is lost',
    new VaultError('generation-lost', 'the secret of generation 2 does not exist'),
    EXIT.failed,
    'the secret of generation 2 does not exist',
  ],
  [
    'a MongoDB that does not know the password',
    server(18),
    EXIT.away,
    'MongoDB: it does not accept the user, the password, the mechanism or the certificate (authentication)',
  ],
  [
    'a MongoDB that does not give the right',
    server(13),
    EXIT.away,
    'MongoDB: it does not allow the user what the service needs (authorization)',
  ],
  [
    'a Kafka that does not know the password',
    kafka('KafkaJSNonRetriableError', { cause: kafka('KafkaJSSASLAuthenticationError', {}) }),
    EXIT.away,
    'Kafka: it does not accept the user, the password, the mechanism or the certificate (authentication)',
  ],
  [
    'a Kafka that does not give the right',
    new Error('topic t could not be read', {
      cause: kafka('KafkaJSProtocolError', { type: 'TOPIC_AUTHORIZATION_FAILED' }),
    }),
    EXIT.away,
    'Kafka: it does not allow the user what the service needs (authorization)',
  ],
  [
    'a Kafka that makes no topic so',
    kafka('KafkaJSAggregateError', {
      errors: [kafka('KafkaJSCreateTopicError', { type: 'INVALID_REPLICATION_FACTOR', retriable: false })],
    }),
    EXIT.failed,
    'Kafka: it answers INVALID_REPLICATION_FACTOR',
  ],
  [
    'a Kafka that makes no topic now',
    kafka('KafkaJSAggregateError', {
      errors: [kafka('KafkaJSCreateTopicError', { type: 'NOT_CONTROLLER', retriable: true })],
    }),
    EXIT.away,
    'Kafka: it answers NOT_CONTROLLER',
  ],
  [
    'a Kafka that lets this user make no topic',
    kafka('KafkaJSAggregateError', {
      errors: [kafka('KafkaJSCreateTopicError', { type: 'TOPIC_AUTHORIZATION_FAILED', retriable: false })],
    }),
    EXIT.away,
    'Kafka: it does not allow the user what the service needs (authorization)',
  ],
  [
    'a Kafka that rewinds no group of this name',
    kafka('KafkaJSDeleteGroupsError', {
      groups: [{ errorCode: 24, error: kafka('KafkaJSProtocolError', { type: 'INVALID_GROUP_ID', retriable: false }) }],
    }),
    EXIT.failed,
    'Kafka: it answers INVALID_GROUP_ID',
  ],
  [
    'a Kafka that lets this user rewind no group',
    kafka('KafkaJSDeleteGroupsError', {
      groups: [
        {
          errorCode: 30,
          error: kafka('KafkaJSProtocolError', { type: 'GROUP_AUTHORIZATION_FAILED', retriable: false }),
        },
      ],
    }),
    EXIT.away,
    'Kafka: it does not allow the user what the service needs (authorization)',
  ],
])(
  'says in words of ours what is the matter, and nothing of what a driver or the system says: %s',
  (_what, error, code, line) => {
    expect(refused(error)).toEqual({ code, lines: [line] });
  },
);

it.each([
  ['a command', new CommandError('there is no workspace acme'), EXIT.failed],
  ['a folder that is held', new DataDirectoryHeld('/data'), EXIT.failed],
  ['a folder for scratch', new ProjectionError('the scratch folder /tmp is not writable'), EXIT.failed],
  [
    'a master key that is another',
    new VaultError('master-key-wrong', 'the keys in this database are wrapped by another'),
    EXIT.failed,
  ],
  [
    'a group with members, whatever the driver said',
    new GroupInUse('results', { cause: kafka('KafkaJSDeleteGroupsError', {}) }),
    EXIT.failed,
  ],
  [
    'a topic that nobody made, whatever the driver said',
    new UnknownTopic('t', { cause: kafka('KafkaJSProtocolError', { type: 'UNKNOWN_TOPIC_OR_PARTITION' }) }),
    EXIT.failed,
  ],
  ['a log that takes nothing now', new PublishRefused('away', 'the log is away'), EXIT.away],
  ['a record that is too large', new PublishRefused('too-large', 'a record is too large'), EXIT.failed],
  ['a topic that is missing', new PublishRefused('unknown-topic', 'topic t does not exist'), EXIT.failed],
])('keeps what we say ourselves of %s', (_what, error, code) => {
  expect(refused(error)).toEqual({ code, lines: [error.message] });
});

describe('a file of a setting', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refusal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const thrownBy = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('is named where it holds no key, or is not there, without what it holds', async () => {
    writeFileSync(join(folder, 'wrong.key'), PLANTED);
    expect(refused(await thrownBy(loadMasterKey(join(folder, 'wrong.key')))).lines).toEqual([
      expect.stringMatching(/wrong\.key does not hold a key: expected 32 bytes/),
    ]);
    expect(refused(await thrownBy(loadMasterKey(join(folder, 'absent.key')))).lines).toEqual([
      expect.stringMatching(/absent\.key cannot be read \(ENOENT\)$/),
    ]);
  });

  it('that the system refuses is named by kind', async () => {
    expect(refused(await thrownBy(readFile(join(folder, PLANTED))))).toEqual({
      code: EXIT.failed,
      lines: ['a file or folder does not exist (ENOENT)'],
    });
    writeFileSync(join(folder, 'file'), '');
    expect(refused(await thrownBy(mkdir(join(folder, 'file', 'folder'))))).toEqual({
      code: EXIT.failed,
      lines: ['a path is not a folder (ENOTDIR)'],
    });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { standaloneTable } from './standalone.config';

const textOf = (file: string): string => readFileSync(join(__dirname, '../../..', file), 'utf8');
const page = textOf('docs/limits.md');
const defaults = new Map(Object.entries(standaloneTable).map(([name, { shownDefault }]) => [name, shownDefault]));
/** The default and the setting of each row that names one. */
const documented = new Map(
  [...page.matchAll(/^\|[^|]+\| ([^|]+) \| `([A-Z_]+)` \|/gm)].map(([, shown = '', name = '']) => [name, shown]),
);

/** What each row is about that names no setting, and its value. */
const fixed = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| {2}\|/gm)].map(([, what = '', shown]) => ({ what, shown }));

/** By the file that sets a fixed limit: how its row begins, its value there, and the same in the source. */
const STATED: Readonly<Record<string, readonly (readonly [row: string, shown: string, stated: string])[]>> = {
  'libs/edge/src/limits.ts': [
    ['Number of headers', '200', ' headers: 200,'],
    ['Address in the request line', '8,192', 'uriBytes: 8_192,'],
  ],
  'libs/edge/src/body-reader.ts': [['The same counted by pieces', '524,288', 'MOST_TIMES = 2;']],
  'libs/edge/src/api-error.ts': [['Faults that a 400 names', '100', 'namedFaults = 100;']],
  'libs/edge/src/egress/callback-url-fault.ts': [['A callback URL,', '2,048', 'MAX_URL_CHARS = 2_048;']],
  'libs/edge/src/egress/refused-names.ts': [['Names of callback URLs', '200', 'MOST_LOOKUPS = 200;']],
  'libs/config/src/address-settings.ts': [['`CALLBACK_CONTACT_URL`', '256', 'CONTACT_URL = /^(?=.{1,256}$)']],
  'libs/contracts/src/messages/participant-report.ts': [
    ['Tombstones that an attestation names', '1,000 each', 'MOST_TOMBSTONES = 1_000;'],
    ['`statusMessage`', '1 to 256', "statusMessage = { type: 'string', minLength: 1, maxLength: 256 }"],
  ],
  'libs/contracts/src/vocabulary.ts': [['Domain of a participant', '253', '/^(?=.{1,253}$)']],
  'libs/workspaces/src/basic.ts': [['`Authorization: Basic`', '1,024', 'MAX_HEADER_BYTES = 1024;']],
  'libs/workspaces/src/credentials.ts': [
    ['Keys of a workspace in force', '100', 'MAX_KEYS = 100;'],
    ['A revoked key', '30 s', 'KEY_KNOWN_MS = 30_000;'],
  ],
  'libs/workspaces/src/participants.ts': [['Outside participants of a workspace', '100', 'MAX_PARTICIPANTS = 100;']],
  'libs/workspaces/src/new-workspace.ts': [
    ['Id of a workspace', '1 to 63', 'WORKSPACE_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;'],
    ['Name of a workspace', '1 to 128', 'WORKSPACE_NAME = /^(?!\\s)[^\\p{Cc}\\p{Cs}]{1,128}(?<!\\s)$/u;'],
    ['Name of a workspace', '1 to 128', 'CONTROLLER_ID = /^[^\\s\\p{Cc}\\p{Cs}]{1,128}$/u;'],
  ],
  'libs/storage/src/mongodb.ts': [
    ['For a primary of MongoDB', '5 s', 'serverSelectionTimeoutMS: 5_000,'],
    ['The same, for calls that come before', '20 s', 'connectTimeoutMS: 5_000,'],
  ],
  'libs/messaging/src/kafka/waiting-records.ts': [
    ['Records that a process has sent to Kafka', '10,000', 'maxRecords: 10_000,'],
    ['The same, bytes', '16,777,216', 'maxBytes: 16 * 1024 * 1024,'],
    ['Without an acknowledgement of Kafka', '1 s', 'refuseAfterMs: 1_000,'],
  ],
  'libs/messaging/src/kafka/kafka-log.ts': [
    ['One record, while its group', '15 s', 'rebalanceTimeoutMs = 15_000,'],
    ['A consumer of Kafka is silent', '30 s; twice as long each time in a row, up to 4 min', 'silentAfterMs = 30_000,'],
  ],
  'libs/messaging/src/kafka/silence-limit.ts': [
    ['A consumer of Kafka is silent', '30 s; twice as long each time in a row, up to 4 min', 'GROWS_TO = 8;'],
  ],
  'libs/messaging/src/kafka/partition-reader.ts': [
    ['Offsets of handled records', 'every 250 ms', 'COMMIT_EVERY_MS = 250;'],
  ],
  'libs/messaging/src/consumption/chunk-sizer.ts': [
    ['Records of Kafka in one chunk', 'about 3 s', 'CHUNK_MS = 3_000;'],
    ['Records of Kafka in one chunk', 'about 3 s', 'FIRST_SIZE = 16;'],
  ],
  'libs/service/src/http/listener.ts': [['For connections that wait', '10 s', 'lastAcceptMs = 10_000;']],
  'libs/service/src/serving/serve.ts': [['For the answers that are begun', '15 s', 'ANSWERS_PART = 0.6;']],
  'apps/gateway/src/admission/admissions.ts': [
    ['Identities, callback URLs and group of one request', '819,200', 'MOST_SEALED = MAX_RECORD_BYTES - 100 * 1024;'],
  ],
  'apps/gateway/src/admission/group-slot-allocator.ts': [['Requests of a group', '150', 'GROUP_SIZE = 150;']],
  'apps/gateway/src/admission/publish-acknowledged.ts': [
    ['For Kafka to acknowledge a replay', '5 s', 'DEADLINE_MS = 5_000;'],
  ],
  'apps/gateway/src/callbacks/fold-callback.ts': [
    ['Attempts of a callback', '50 each', 'KEPT_ATTEMPTS = 50;'],
    ['Attempts of a callback', '50 each', 'KEPT_GIVE_UPS = 50;'],
  ],
  'apps/gateway/src/http/results/results.client.ts': [
    ['For results to begin an answer', '15 s', 'ANSWER_WITHIN_MS = 15_000;'],
  ],
  'apps/gateway/src/intake/create-request.dto.ts': [
    ['`identity_value`', '1 to 4,096', '@Characters(1, MAX_IDENTITY_CHARS)'],
    ['`group_id`', '1 to 256; empty in a create: none', 'MAX_GROUP_ID_CHARS = 256;'],
  ],
  'apps/gateway/src/operator/access/authenticate-operator.ts': [
    ['`Authorization: Bearer`', '8,192', 'MOST_TOKEN_BYTES = 8_192;'],
  ],
  'apps/gateway/src/operator/changes/change-streams.ts': [
    ['Streams of changes', '200; 10', 'MOST_STREAMS = 200;'],
    ['Streams of changes', '200; 10', 'MOST_OF_ONE = 10;'],
  ],
  'apps/gateway/src/operator/history/request-history.ts': [
    ['Entries of the audit trail', '200; 1,000', 'MOST_OF_PARTICIPANTS = 200;'],
  ],
  'apps/gateway/src/operator/records/request-records.ts': [
    ['Searches of the event log', '2', 'MOST_AT_ONCE = 2;'],
    ['Records that one such search reads', '33,554,432', 'MOST_BYTES = 32 * 1024 * 1024;'],
    ['One search of the event log', '5 s', 'MOST_MS = 5_000;'],
  ],
  'apps/gateway/src/audit/audit.store.ts': [['Entries of the audit trail', '200; 1,000', 'MOST_OF_OPERATORS = 1_000;']],
  'apps/callback-dispatcher/src/destinations/destination.ts': [
    ['Replays that a destination', '50', 'MAX_REPLAYS_REMEMBERED = 50;'],
  ],
  'apps/callback-dispatcher/src/dispatch/traffic.ts': [
    ['Hosts of callbacks', '10,000', 'MAX_HOSTS_REMEMBERED = 10_000;'],
  ],
  'libs/contracts/src/identities/identity.ts': [['An identity of a call', '4,096', 'MAX_IDENTITY_CHARS = 4_096;']],
  'apps/ingestion/src/intake/check-body.ts': [['`timestamp_unixtime_ms`', '24 h', 'MOST_AHEAD_MS = 86_400_000;']],
  'apps/ingestion/src/intake/credentials.ts': [['`x-mp-key`', '256', 'MAX_KEY_LENGTH = 256;']],
  'apps/ingestion/src/intake/events.dto.ts': [
    ['`event_type`', '1 to 256', '@Length(1, 256)'],
    ['`source_request_id`', '256', '@MaxLength(256)'],
  ],
  'apps/ingestion/src/intake/identity.dto.ts': [['`context`', '1,024', '@MaxLength(1_024)']],
  'apps/ingestion/src/intake/ingest-body.dto.ts': [['`environment`', '64', 'MAX_ENVIRONMENT_LENGTH = 64;']],
  'apps/ingestion/src/intake/ingest-publisher.ts': [
    ['`user_attributes`', '655,360', 'MOST_ATTRIBUTES_BYTES = 655_360;'],
    ['For Kafka to acknowledge a call', '5 s', 'ACKNOWLEDGED_WITHIN_MS = 5_000;'],
  ],
  'apps/ingestion/src/intake/modify.dto.ts': [['`identity_changes`', '1 to 100', 'MAX_CHANGES = 100;']],
};
const stated = Object.entries(STATED).flatMap(([file, rows]) => rows.map((row) => [...row, file] as const));

/** What no constant says: it follows from the size of a record, and from the memory of a machine. */
const MEASURED = ['Profiles that one erasure finds', "Requests that an operator's audit"];

describe('docs/limits.md', () => {
  it('names existing settings with their defaults', () => {
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries([...documented.keys()].map((name) => [name, defaults.get(name)])),
    );
  });

  it.each(stated)('names the fixed limit: %s', (begin, shown, inSource, file) => {
    expect(fixed.filter(({ what }) => what.startsWith(begin)).map((row) => row.shown)).toEqual([shown]);
    expect(textOf(file)).toContain(inSource);
  });

  it('names no fixed limit that is compared with nothing', () => {
    const begins = [...stated.map(([begin]) => begin), ...MEASURED];
    expect(fixed.filter(({ what }) => !begins.some((begin) => what.startsWith(begin)))).toEqual([]);
  });

  it('leaves no limit out', () => {
    const limits = [...defaults.keys()].filter((name) =>
      /LIMIT|TIMEOUT|KEEP|KEPT|SKEW|VALIDITY|GIVE_UP|CONCURRENCY|BREAKER|SLOW/.test(name),
    );
    expect(limits.filter((name) => !documented.has(name))).toEqual([]);
    expect(limits.length).toBeGreaterThan(20);
  });
});

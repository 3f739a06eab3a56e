import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MalformedMessage, type Codec } from './codec';
import { commands, deliveryEvents, ingestEvents, ingestProfiles, keyTombstones, participantReports, requestEvents } from './codecs';
import { COMMAND_SCHEMAS } from './commands';
import { DELIVERY_EVENT_SCHEMAS } from './delivery-events';
import { BATCH_SCHEMAS, PROFILE_SCHEMAS } from './ingest';
import { KEY_TOMBSTONE_SCHEMAS } from './key-tombstones';
import { PARTICIPANT_REPORT_SCHEMAS } from './participant-report';
import { REQUEST_EVENT_SCHEMAS } from './request-events';

interface Golden {
  readonly key: string;
  readonly headers: Record<string, string>;
  readonly value: { type: string } & Record<string, unknown>;
}

const codecs = { commands, requestEvents, participantReports, ingestProfiles, ingestEvents, deliveryEvents, keyTombstones } as unknown as Record<string, Codec<Golden['value']>>;
const schemas = {
  commands: COMMAND_SCHEMAS,
  requestEvents: REQUEST_EVENT_SCHEMAS,
  participantReports: PARTICIPANT_REPORT_SCHEMAS,
  ingestProfiles: PROFILE_SCHEMAS,
  ingestEvents: BATCH_SCHEMAS,
  deliveryEvents: DELIVERY_EVENT_SCHEMAS,
  keyTombstones: KEY_TOMBSTONE_SCHEMAS,
};
const folder = join(__dirname, '../golden');
const goldens = readdirSync(folder).map((file) => {
  const [topic = '', type = '', ...version] = file.split('.').slice(0, -1);
  return { topic, type, version: version.join(' '), golden: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden };
});
const decode = (topic: string, golden: Golden) => codecs[topic]!.decode({ headers: golden.headers, value: Buffer.from(JSON.stringify(golden.value)) });

describe('golden messages', () => {
  it.each(goldens)('$topic $type $version decodes and is written again byte for byte', ({ topic, golden }) => {
    const message = decode(topic, golden);
    const encoded = codecs[topic]!.encode(message);
    expect({ key: encoded.key, headers: encoded.headers, value: encoded.value.toString() }).toEqual({
      key: golden.key,
      headers: golden.headers,
      value: JSON.stringify(golden.value),
    });
  });

  it('exist for every message of every topic', () => {
    const expected = Object.entries(schemas).flatMap(([topic, types]) => Object.keys(types).map((type) => `${topic}.${type}`));
    expect([...new Set(goldens.map(({ topic, type }) => `${topic}.${type}`))].sort()).toEqual(expected.sort());
  });

  it.each(goldens)('$topic $type without any one required field is malformed', ({ topic, golden }) => {
    for (const field of ['id', 'ws', 'at']) {
      const value: Golden['value'] = { ...golden.value };
      delete value[field];
      expect(() => decode(topic, { ...golden, value })).toThrow(MalformedMessage);
    }
  });

  it.each(goldens)('$topic $type keeps a field that is added later', ({ topic, golden }) => {
    expect(decode(topic, { ...golden, value: { ...golden.value, later: 1 } })).toMatchObject({ later: 1 });
  });
});

describe('decoding', () => {
  const { golden } = goldens.find(({ type }) => type === 'CancelRequest')!;
  const fails = (change: Partial<Golden>, value?: string) => {
    try {
      commands.decode({ headers: change.headers ?? golden.headers, value: Buffer.from(value ?? JSON.stringify(change.value ?? golden.value)) });
    } catch (error) {
      return error instanceof MalformedMessage ? error.reason : 'another error';
    }
    return 'nothing';
  };

  it('names the reason and never the content', () => {
    expect(fails({}, 'not json')).toBe('not-json');
    expect(fails({ headers: {} })).toBe('unknown-type');
    expect(fails({ headers: { ...golden.headers, ce_type: 'org.opendsr-service.toString.v1' } })).toBe('unknown-type');
    expect(fails({ headers: { ...golden.headers, ce_type: 'org.opendsr-service.CancelRequest.v2' } })).toBe('unknown-type');
    expect(fails({ value: { ...golden.value, srid: 'ann@example.com' } })).toMatch(/^schema:#/);
    expect(fails({ value: { ...golden.value, type: 'StartRequest' } })).toMatch(/^schema:#/);
  });
});

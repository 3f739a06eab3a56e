import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Goldens, type Golden } from '../testing/goldens';
import { CODECS, GOLDEN_KEY, shapeOf, TOPIC_NAMES, type Message, type Topic } from '../testing/today';
import { fieldsOf, fieldsSeen } from '../testing/fields';
import { LaterMessage, MalformedMessage } from './codec';
import { commands } from './codecs';
import { bytesDigest, eventDigest } from './digests';
import type { RequestEvent } from './request-events';
import { isRecordSignedBy, RECORD_SIGNATURE_HEADER, signRecord } from './record-signature';

// A golden message is a record of some version and never changes, as logs and backups hold such records.
// A change adds its own golden message; docs/compatibility.md explains how.
const goldens = new Goldens(join(__dirname, '../golden')).messages();
type Written = Pick<Golden, 'headers' | 'value'>;
const recordOf = ({ headers, value }: Written) => ({ key: '', headers, value: Buffer.from(JSON.stringify(value)) });
/** With the signature that some topics demand. */
const decode = (topic: Topic, written: Written) => CODECS[topic].decode(signRecord(recordOf(written), GOLDEN_KEY));
const isSigned = ({ headers }: Written) => RECORD_SIGNATURE_HEADER in headers;

describe('golden messages', () => {
  it.each(goldens)(
    '$topic $type $version $what decodes to its value and encodes to the same bytes',
    ({ topic, golden }) => {
      const message = decode(topic, golden);
      expect(message).toEqual(golden.value);
      const { key, headers, value } = signRecord(CODECS[topic].encode(message), GOLDEN_KEY);
      if (!isSigned(golden)) delete headers[RECORD_SIGNATURE_HEADER];
      expect({ key, headers, value: value.toString() }).toEqual({ ...golden, value: JSON.stringify(golden.value) });
    },
  );

  it.each(goldens.filter(({ topic }) => topic === 'requestEvents'))(
    '$topic $type $version $what has the digest of its bytes, which stand on the log for years',
    ({ topic, golden }) => {
      const bytes = Buffer.from(JSON.stringify(golden.value));
      expect(eventDigest(decode(topic, golden) as RequestEvent)).toBe(bytesDigest(bytes));
      expect(bytesDigest(bytes)).toBe(createHash('sha256').update(bytes).digest('base64url'));
    },
  );

  it('exist for every message and version of every topic', () => {
    const expected = TOPIC_NAMES.flatMap((topic) =>
      Object.keys(shapeOf(topic).types).map((type) => `${topic}.${type}.v1`),
    );
    expect([...new Set(goldens.map(({ topic, type, version }) => `${topic}.${type}.${version}`))].sort()).toEqual(
      expected.sort(),
    );
  });

  it.each(TOPIC_NAMES)(
    'of %s show each field, each optional one absent, each allowed null, and each value of an enum',
    (topic) => {
      const ofTopic = Object.entries(shapeOf(topic).types);
      const seen = new Set(
        ofTopic.flatMap(([type, schema]) =>
          goldens
            .filter((one) => one.topic === topic && one.type === type)
            .flatMap(({ golden }) => fieldsSeen(type, schema, golden.value)),
        ),
      );
      expect(ofTopic.flatMap(([type, schema]) => fieldsOf(type, schema)).filter((field) => !seen.has(field))).toEqual(
        [],
      );
    },
  );

  it.each(goldens)('$topic $type $what without one of its required fields is malformed', ({ topic, golden }) => {
    for (const field of ['id', 'ws', 'at']) {
      const value = Object.fromEntries(Object.entries(golden.value).filter(([name]) => name !== field)) as Message;
      expect(() => decode(topic, { ...golden, value })).toThrow(MalformedMessage);
    }
  });

  it.each(goldens)('$topic $type $what keeps a field of a later version', ({ topic, golden }) => {
    expect(decode(topic, { ...golden, value: { ...golden.value, later: { at: 1 } } })).toMatchObject({
      later: { at: 1 },
    });
  });

  it('of reports, tombstones and leaves hold a signature as their writers make it', () => {
    const signed = goldens.filter(({ golden }) => isSigned(golden));
    expect(signed.map(({ topic, golden }) => [topic, isRecordSignedBy(recordOf(golden), GOLDEN_KEY)])).toEqual(
      ['evidenceLeaves', 'keyTombstones', 'participantReports'].map((topic) => [topic, true]),
    );
  });

  it.each(goldens.filter(({ topic }) => topic === 'keyTombstones' || topic === 'evidenceLeaves'))(
    '$topic $type $what is read only with its signature, so records of before the signatures do not count',
    ({ topic, golden }) => {
      const read = () => CODECS[topic].decode(recordOf(golden));
      if (isSigned(golden)) expect(read()).toEqual(golden.value);
      else expect(read).toThrow(new MalformedMessage('wrong-signature'));
    },
  );
});

describe('a type that a later version adds', () => {
  const later = (topic: Topic, change: object = {}) => {
    const { golden } = goldens.find((one) => one.topic === topic)!;
    const headers = { ...golden.headers, ce_type: 'org.opendsr-service.RequestPaused.v1' };
    return { headers, value: { ...golden.value, type: 'RequestPaused', ...change } };
  };

  it.each(TOPIC_NAMES.filter((topic) => topic !== 'requestEvents'))(
    'differs from a malformed message on %s',
    (topic) => {
      expect(() => decode(topic, later(topic))).toThrow(LaterMessage);
    },
  );

  it('decodes to its checked head on requestEvents, so that it counts', () => {
    const { id, ws, srid, version, commandSeq, at } = later('requestEvents').value as Message;
    expect(decode('requestEvents', later('requestEvents', { extensions: 'unchecked' }))).toEqual({
      type: 'RequestPaused',
      id,
      ws,
      srid,
      version,
      commandSeq,
      at,
    });
  });

  it('is malformed on requestEvents without a valid head', () => {
    for (const change of [{ version: 0 }, { srid: 'nobody' }, { type: 'Other' }]) {
      const reason = () => decode('requestEvents', later('requestEvents', change));
      expect(reason).toThrow(MalformedMessage);
      expect(reason).not.toThrow(LaterMessage);
    }
  });
});

describe('decoding', () => {
  const { golden } = goldens.find(({ type }) => type === 'CancelRequest')!;
  const fails = (change: Partial<Golden>, value?: string) => {
    try {
      commands.decode({
        headers: change.headers ?? golden.headers,
        value: Buffer.from(value ?? JSON.stringify(change.value ?? golden.value)),
      });
    } catch (error) {
      if (error instanceof LaterMessage) return 'later';
      return error instanceof MalformedMessage ? error.reason : 'another error';
    }
    return 'nothing';
  };

  it('reports the reason and never the content', () => {
    expect(fails({}, 'not json')).toBe('not-json');
    expect(fails({ headers: {} })).toBe('unknown-type');
    expect(fails({ headers: { ...golden.headers, ce_type: 'org.opendsr-service.toString.v1' } })).toBe('unknown-type');
    expect(fails({ headers: { ...golden.headers, ce_type: 'org.opendsr-service.CancelRequest.v2' } })).toBe(
      'unknown-type',
    );
    expect(fails({ value: { ...golden.value, srid: 'ann@example.com' } })).toMatch(/^schema:#/);
    expect(fails({ value: { ...golden.value, type: 'StartRequest' } })).toMatch(/^schema:#/);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { logRecordAnswer } from './log-record-answer';
import { REQUEST_TOPICS, shownFields } from './shown-fields';
import { hashOf } from './shown-record';

const GOLDENS = join(__dirname, '../../../contracts/src/golden');
const KNOWN = new Set(['ingestion', 'crm']);

interface Golden {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Readonly<Record<string, unknown>>;
}

const recordOf = (topic: string, { key, headers, value }: Golden): LogRecord => ({
  ...{ topic, partition: 3, offset: '7', key, headers, timestampMs: 1_000 },
  value: Buffer.from(JSON.stringify(value)),
});

/** Every message of these topics that any version wrote. */
const goldens = readdirSync(GOLDENS)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const topic = TOPICS[file.split('.', 1)[0] as keyof typeof TOPICS].name;
    const golden = JSON.parse(readFileSync(join(GOLDENS, file), 'utf8')) as Golden;
    return REQUEST_TOPICS.includes(topic) ? [{ topic, golden }] : [];
  });
const [first] = goldens as [(typeof goldens)[number]];
const report = goldens.find(({ topic }) => topic === TOPICS.participantReports.name) as typeof first;

it('shows of every message numbers, times, ids and words of a list, and no other field', () => {
  const shown = new Map<string, Set<string>>();
  for (const { topic, golden } of goldens) {
    const { fields, others } = shownFields(recordOf(topic, golden), KNOWN);
    const names = Object.keys(fields ?? {});
    shown.set(topic, new Set([...(shown.get(topic) ?? []), ...names]));
    const envelope = ['id', 'type', 'ws', 'srid'];
    expect(names.length + others).toBe(Object.keys(golden.value).length - envelope.length);
    for (const [name, value] of Object.entries(fields ?? {}))
      if (name !== 'participant') expect(value).toEqual(golden.value[name]);
  }
  expect(Object.fromEntries([...shown].map(([topic, names]) => [topic, [...names].sort()]))).toEqual({
    [TOPICS.commands.name]: ['at', 'delivery', 'destination', 'extendedUntil', 'seq', 'version'],
    [TOPICS.requestEvents.name]: ['at', 'commandSeq', 'extendedUntil', 'participant', 'status', 'version'],
    [TOPICS.participantReports.name]: ['at', 'participant', 'status'],
    [TOPICS.deliveryEvents.name]: [
      ...['at', 'attempt', 'delivery', 'destination', 'dueAt', 'durationMs', 'httpStatus', 'nextAt', 'outcome'],
      ...['reason', 'replay', 'status', 'version'],
    ],
  });
});

it('shows a hash in place of a participant that nobody knows, whoever wrote it', () => {
  const of = (participant: string) =>
    shownFields(recordOf(report.topic, { ...report.golden, value: { ...report.golden.value, participant } }), KNOWN);
  expect(of('crm').fields).toMatchObject({ participant: 'crm' });
  expect(of('ann-smith').fields).toMatchObject({ participant: hashOf('ann-smith') });
});

it('shows no field that the contract of the topic does not name, whatever it is called', () => {
  const more = {
    seq: 4,
    replay: true,
    destination: 'ann-smith',
    reason: 'gone',
    nextAt: '2026-11-21T09:00:00Z',
    constructor: 'Ann',
  };
  const of = (value: object) => shownFields(recordOf(report.topic, { ...report.golden, value: { ...value } }), KNOWN);
  const [plain, extended] = [of(report.golden.value), of({ ...report.golden.value, ...more })];
  expect(extended.fields).toEqual(plain.fields);
  expect(extended.others - plain.others).toBe(Object.keys(more).length);
});

it('shows nothing of a value that is not as its topic says, and only the head of a later event', () => {
  const value = { ...report.golden.value, status: 'Ann Smith' };
  expect(shownFields(recordOf(report.topic, { ...report.golden, value }), KNOWN)).toEqual({ fields: null, others: 0 });
  expect(shownFields(recordOf('elsewhere', report.golden), KNOWN)).toEqual({ fields: null, others: 0 });
  const event = goldens.find(({ topic }) => topic === TOPICS.requestEvents.name) as typeof first;
  const headers = { ...event.golden.headers, ce_type: 'org.opendsr-service.LaterEvent.v1' };
  const later = { headers, key: event.golden.key, value: { ...event.golden.value, type: 'LaterEvent', more: 'Ann' } };
  const { version, commandSeq, at } = event.golden.value;
  expect(shownFields(recordOf(event.topic, later), KNOWN).fields).toEqual({ version, commandSeq, at });
});

it('shows of headers what is as ours are, and no text of outsiders, whatever they write', () => {
  const theirs = { ce_id: 'ann@example.com', ce_type: 'ann@example.com', ce_time: 'Ann', ann: 'Ann' };
  const record = { ...recordOf(report.topic, report.golden), headers: theirs, timestampMs: 1e300 };
  const answer = logRecordAnswer(record, KNOWN);
  expect(answer).toMatchObject({ time: null, type: null, message_id: null, fields: null, other_headers: 1 });
  expect(JSON.stringify(answer).toLowerCase()).not.toContain('ann');
  const { type, message_id: id, time } = logRecordAnswer(recordOf(report.topic, report.golden), KNOWN);
  expect([type, id, time]).toEqual(['ParticipantReport', report.golden.value['id'], '1970-01-01T00:00:01.000Z']);
});

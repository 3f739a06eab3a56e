import { TOPICS, type Shape } from '@opendsr-service/contracts';
import type { KeyRead, KeyReadDenied } from '@opendsr-service/messaging';
import { logRecordAnswer, timeOfRecord } from '@opendsr-service/operator-answers';
import { textCursor } from '../lists/cursor';
import type { OPERATOR_RECORDS } from './record-schemas';
import { RECORDS, type RecordsPage } from './request-records';

type Answer = Shape<typeof OPERATOR_RECORDS>;

export const recordsAnswer = ({ from, reads, next, participants }: RecordsPage): Answer => ({
  records: reads.flatMap((read) =>
    'isDenied' in read ? [] : read.records.map((record) => logRecordAnswer(record, participants)),
  ),
  topics: reads.map(topicAnswer),
  from_time: from.toISOString(),
  next_cursor: next ? textCursor(RECORDS, next.topic, next.offset ?? '') : null,
});

const RETENTIONS = new Map<string, number>(Object.values(TOPICS).map(({ name, retentionMs }) => [name, retentionMs]));

function topicAnswer(read: KeyRead | KeyReadDenied): Answer['topics'][number] {
  const of = { topic: read.topic, kept_ms: RETENTIONS.get(read.topic) ?? 0 };
  if ('isDenied' in read) return { ...of, state: 'denied', ...UNREAD };
  const { partition, stoppedBy, readToMs, leftFromMs, bytes } = read;
  return {
    ...{ ...of, partition, bytes },
    ...{ state: stoppedBy ? 'stopped' : 'read', stopped_by: stoppedBy ?? null },
    read_to_time: readToMs === undefined ? null : timeOfRecord(readToMs),
    is_cut: leftFromMs !== undefined,
    left_from_time: typeof leftFromMs === 'number' ? timeOfRecord(leftFromMs) : null,
  };
}

const UNREAD = {
  ...{ partition: null, bytes: 0, stopped_by: null, read_to_time: null, is_cut: false, left_from_time: null },
} as const;

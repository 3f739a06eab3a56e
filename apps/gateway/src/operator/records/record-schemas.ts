import { count, flag, item, object, oneOf, oneOfOrNull, textOrNull, time, timeOrNull } from '@opendsr-service/edge';
import { LOG_RECORD, REQUEST_TOPICS } from '@opendsr-service/operator-answers';

const TOPIC_READ = item({
  topic: oneOf(REQUEST_TOPICS, 'The topic.'),
  partition: { type: ['integer', 'null'], minimum: 0, description: 'That of the key; null where it is denied.' },
  state: oneOf(
    ['read', 'stopped', 'denied'],
    '`read`: to the end that it had. `stopped`: a limit came first, and the next page goes on. ' +
      '`denied`: Kafka does not let the gateway read it (docs/connecting.md).',
  ),
  stopped_by: oneOfOrNull(
    ['records', 'bytes', 'time'],
    'The limit that came first: records of the page, bytes of whatever request, or time.',
  ),
  read_to_time: timeOrNull('Time of the last record that was read, of whatever request; null where none was.'),
  bytes: count('How much was read, of whatever request.'),
  is_cut: flag('Whether the retention has removed earlier records, which may have been of this request.'),
  left_from_time: timeOrNull('The time of the oldest record that is left, where earlier ones are removed.'),
  kept_ms: count('How long the topic keeps a record.'),
});

export const OPERATOR_RECORDS = object('A page of the records of a request on the event log.', {
  records: {
    type: 'array',
    items: LOG_RECORD,
    description:
      'Topic by topic, each in its order. The page may be short, and even empty, with a further page: ' +
      'the log has no index of requests.',
  },
  topics: { type: 'array', items: TOPIC_READ, description: 'What was read of each topic for this page.' },
  from_time: time('From when on it searches.'),
  next_cursor: textOrNull('For the next page; null where every topic was read.'),
});

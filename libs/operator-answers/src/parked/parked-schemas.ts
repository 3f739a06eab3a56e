import { RECORD_KINDS } from '@opendsr-service/messaging';
import { IN_PLACE_OF_VALUE } from '../records/in-place-of-value';
import { SERVICE_NAMES } from '../services';
import { count, flag, list, nextCursor, object, oneOf, textOrNull, time, word } from '@opendsr-service/edge';
import { MOST_BEHIND, MOST_READ } from './parked-records.store';

const RECORD = {
  service: oneOf(SERVICE_NAMES, 'The service that could not handle it.'),
  id: word('Names the record in paths: group, topic, partition and offset. `dsr parked` writes `/` in place of `~`.'),
  group: word('The consumer group.'),
  topic: word('The topic.'),
  partition: count('The partition.'),
  offset: word('The offset, as decimal text.'),
  key: word('`<workspace>:<request>`; of any other key, which an outsider may have written, a hash.'),
  workspace: textOrNull('The workspace of the key, where it is that of a request.'),
  subject_request_id: textOrNull('The request of the key.'),
  type: textOrNull('The type of the message, where it is one of ours.'),
  reason: word('Why it could not be handled.'),
  since: time('When it was parked.'),
  kind: oneOf(RECORD_KINDS, 'Whether later records of its key wait behind it, it waits itself, or neither.'),
  marked: flag('Whether it will be handled again.'),
} as const;

export const PARKED_RECORD = object('A parked record, without its value.', RECORD);

/** A page of one service. */
export const PARKED_PAGE = object('A page of parked records.', {
  parked: list(
    `In the order of their ids. A page reads at most ${MOST_READ} records, so it may be short, and even empty, with a further page.`,
    PARKED_RECORD,
  ),
  next_cursor: nextCursor,
});

export const PARKED_RECORD_DETAIL = object('A parked record with its headers, without its value.', {
  ...RECORD,
  behind: { ...count('How many records wait behind it; counted no further than this.'), maximum: MOST_BEHIND },
  blocked_by: textOrNull('The id of the record behind which it waits.'),
  ...IN_PLACE_OF_VALUE,
});

export const PARKED_REDRIVE = object(
  'Which records will be handled again: within seconds or, by a service that is stopped, at its next start.',
  {
    marked: count('How many were marked.'),
    marked_already: count('How many were marked before.'),
    next_cursor: textOrNull('Where the next call goes on; null where nothing is left.'),
  },
);

export const PARKED_DROP = object('A record that was given up.', {
  dropped: word('Its id.'),
  behind: count('How many records waited behind it, and go on now.'),
});

import { count, object, oneOf, textOrNull, timeOrNull, word } from '@opendsr-service/edge';
import { IN_PLACE_OF_VALUE } from './in-place-of-value';
import { REQUEST_TOPICS } from './shown-fields';

/** A record of a request, without its value. */
export const LOG_RECORD = object(
  'A record on the event log, without what is sealed and without text that may be personal data.',
  {
    topic: oneOf(REQUEST_TOPICS, 'The topic.'),
    partition: count('The partition.'),
    offset: word('The offset, as decimal text.'),
    time: timeOrNull('When it was published, by the clock of its writer; null where that gave no time.'),
    type: textOrNull('The type of the message, where it is one of ours.'),
    message_id: textOrNull('The id of the message, by which its readers know a repeat.'),
    fields: {
      type: ['object', 'null'],
      additionalProperties: { type: ['string', 'integer', 'boolean'] },
      description:
        'Fields of the message, named as on the topic (docs/api): numbers, times, ids, words of a list, keyed hashes of ' +
        'callback URLs; a hash in place of a participant that the request does not know. ' +
        'Null: it is not as the contract of the topic says.',
    },
    other_fields: count('How many other fields it has: text, or sealed.'),
    ...IN_PLACE_OF_VALUE,
  },
);

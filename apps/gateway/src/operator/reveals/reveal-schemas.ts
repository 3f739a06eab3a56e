import { object, objects, oneOf, textOrNull, time, timeOrNull, word } from '@opendsr-service/edge';
import { pageSchema } from '../lists/list-parts';
import { REVEAL_STATES } from './reveal.document';

const REQUEST = {
  workspace: word('The workspace that the request belongs to.'),
  subject_request_id: { type: 'string', format: 'uuid', description: 'The id of the request.' },
} as const;

export const REVEALED_IDENTITIES = object('Whom a request is about, and what else is sealed under its key.', {
  ...REQUEST,
  identities: objects('The identities of the data subject.', {
    identity_type: word('What it is.'),
    identity_value: word('Its value, as the service compares it.'),
  }),
  group_id: textOrNull('The name of its group; null without one.'),
  callback_hosts: { type: 'array', items: { type: 'string' }, description: 'The hosts of its callback URLs.' },
  extension_reason: textOrNull('Why its legal date was extended.'),
  decisions: objects('What operators asked for by the API about this request, the earliest first.', {
    action: word('What was asked for.'),
    time: time('When it was asked for.'),
    by: word('The subject of the token.'),
    reason: word('Why.'),
  }),
});

export const OPERATOR_REVEAL = object('A wish to see whom a request is about, which a second person must approve.', {
  id: { type: 'string', format: 'uuid', description: 'The id of the wish.' },
  ...REQUEST,
  state: oneOf(REVEAL_STATES, 'How it stands. `used`: the identities were shown.'),
  asked_by: word('The subject of who asks.'),
  asked_role: word('The role of who asks.'),
  asked_time: time('When it was asked for.'),
  reason: textOrNull('Why; null once the key of the request is destroyed.'),
  approved_by: textOrNull('The subject of who approved it.'),
  approved_time: timeOrNull('When it was approved.'),
  ends_time: time('Until when it counts.'),
});

export const OPERATOR_REVEAL_LIST = pageSchema({
  ...{ name: 'reveals', item: 'OperatorReveal', description: 'A page of wishes.', items: 'The earliest first.' },
});

import { REQUEST_EVENT_SCHEMAS } from '../messages/request-events';
import { obstacles } from './passable';

const event = REQUEST_EVENT_SCHEMAS.RequestFulfilled;

it('finds nothing in the way of an event with the head of all', () => {
  expect(obstacles('requestEvents', { Sha256Changed: event })).toEqual([]);
});

it.each<[string, Record<string, object>, string]>([
  ['a name that starts small', { lower: event }, 'lower: is no name of a type'],
  ['a name with a hyphen', { 'Not-A-Name': event }, 'Not-A-Name: is no name of a type'],
  [
    'a closed schema',
    { Closed: { ...event, additionalProperties: false } },
    'Closed: is closed, so it could never grow',
  ],
  [
    'a property of the head that is not demanded',
    { Later: { ...event, required: event.required.filter((name) => name !== 'commandSeq') } },
    'Later: has no commandSeq as every request event has',
  ],
  [
    'a property of the head that is something else',
    { Later: { ...event, properties: { ...event.properties, version: { type: 'string' } } } },
    'Later: has no version as every request event has',
  ],
])('finds %s', (_what, types, found) => {
  expect(obstacles('requestEvents', types)).toEqual([found]);
});

it('demands the head of request events alone', () => {
  expect(obstacles('commands', { Later: { type: 'object', properties: {} } })).toEqual([]);
});

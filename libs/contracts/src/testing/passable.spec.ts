import { REQUEST_EVENT_SCHEMAS } from '../messages/request-events';
import { obstacles } from './passable';

const event = REQUEST_EVENT_SCHEMAS.RequestFulfilled;

it('finds no obstacle in an event with the common head', () => {
  expect(obstacles('requestEvents', { Sha256Changed: event })).toEqual([]);
});

it.each<[string, Record<string, object>, string]>([
  ['a name that starts with a small letter', { lower: event }, 'lower: is not a type name'],
  ['a name with a hyphen', { 'Not-A-Name': event }, 'Not-A-Name: is not a type name'],
  ['a closed schema', { Closed: { ...event, additionalProperties: false } }, 'Closed: is closed, so it can never grow'],
  [
    'an optional property of the head',
    { Later: { ...event, required: event.required.filter((name) => name !== 'commandSeq') } },
    'Later: has no commandSeq as every request event has',
  ],
  [
    'a property of the head with another schema',
    { Later: { ...event, properties: { ...event.properties, version: { type: 'string' } } } },
    'Later: has no version as every request event has',
  ],
])('finds %s', (_what, types, found) => {
  expect(obstacles('requestEvents', types)).toEqual([found]);
});

it('requires the head only of request events', () => {
  expect(obstacles('commands', { Later: { type: 'object', properties: {} } })).toEqual([]);
});

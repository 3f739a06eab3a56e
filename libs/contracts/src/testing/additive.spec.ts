import { refusals, type TopicShape } from './additive';

const text = { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' };
const schema = {
  type: 'object',
  properties: {
    type: { const: 'Said' },
    name: text,
    count: { type: 'integer', minimum: 1, maximum: 9 },
    colour: { type: 'string', enum: ['red', 'blue'] },
    list: { type: 'array', items: { type: 'object', properties: { of: text }, required: ['of'] } },
    maybe: { type: ['string', 'null'], format: 'uuid' },
  },
  required: ['type', 'name'],
};
const shape: TopicShape = {
  topic: 'said.v1',
  partitions: 12,
  key: '<ws>',
  headers: { a: '1', b: '2' },
  types: { Said: schema },
};
type Properties = Record<string, object>;

const withSchema = (changed: object): TopicShape => ({ ...shape, types: { Said: { ...schema, ...changed } } });
const withProperties = (changed: Properties) => withSchema({ properties: { ...schema.properties, ...changed } });
const without = (name: keyof typeof schema.properties) =>
  withSchema({ properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => key !== name)) });

it.each<[string, TopicShape]>([
  ['nothing changed', shape],
  ['a new optional property', withProperties({ later: text })],
  [
    'a new optional property further down',
    withProperties({
      list: { type: 'array', items: { type: 'object', properties: { of: text, later: text }, required: ['of'] } },
    }),
  ],
  ['a new type', { ...shape, types: { ...shape.types, Later: schema } }],
  ['words', withProperties({ name: { ...text, description: 'A name.' } })],
  [
    'another order',
    withSchema({
      required: ['name', 'type'],
      properties: {
        ...schema.properties,
        maybe: { type: ['null', 'string'], format: 'uuid' },
        colour: { type: 'string', enum: ['blue', 'red'] },
      },
    }),
  ],
  ['another order of headers', { ...shape, headers: { b: '2', a: '1' } }],
])('accepts %s as an addition', (_what, after) => {
  expect(refusals(shape, after)).toEqual([]);
});

it.each<[string, TopicShape, string]>([
  ['a removed property', without('count'), 'Said.count: removed'],
  [
    'a new required property',
    withSchema({ properties: { ...schema.properties, later: text }, required: ['type', 'name', 'later'] }),
    'Said.later: newly required',
  ],
  [
    'a property that becomes required',
    withSchema({ required: ['type', 'name', 'count'] }),
    'Said.count: newly required',
  ],
  [
    'a property that older readers require and newer writers omit',
    withSchema({ required: ['type'] }),
    'Said.name: required no more',
  ],
  [
    'another type',
    withProperties({ count: { ...schema.properties.count, type: 'number' } }),
    'Said.count: type changed',
  ],
  ['one type fewer', withProperties({ maybe: { type: 'string', format: 'uuid' } }), 'Said.maybe: type changed'],
  ['another constant', withProperties({ type: { const: 'Told' } }), 'Said.type: const changed'],
  [
    'a removed value',
    withProperties({ colour: { type: 'string', enum: ['red'] } }),
    'Said.colour: blue is not a value any more',
  ],
  [
    'a new value, which older readers refuse',
    withProperties({ colour: { type: 'string', enum: ['red', 'blue', 'green'] } }),
    'Said.colour: green is a new value',
  ],
  ['values that were free', withProperties({ name: { ...text, enum: ['ann'] } }), 'Said.name: enum added'],
  ['values that become free', withProperties({ colour: { type: 'string' } }), 'Said.colour: enum dropped'],
  ['a pattern', withProperties({ name: { ...text, pattern: '^b' } }), 'Said.name: pattern changed'],
  ['a shorter length', withProperties({ name: { ...text, maxLength: 8 } }), 'Said.name: maxLength changed'],
  [
    'a longer length, which older readers refuse',
    withProperties({ name: { ...text, maxLength: 10 } }),
    'Said.name: maxLength changed',
  ],
  ['a minimum', withProperties({ count: { type: 'integer', minimum: 2, maximum: 9 } }), 'Said.count: minimum changed'],
  [
    'a new limit',
    withProperties({ maybe: { ...schema.properties.maybe, maxLength: 5 } }),
    'Said.maybe: maxLength changed',
  ],
  [
    'another format',
    withProperties({ maybe: { type: ['string', 'null'], format: 'uri' } }),
    'Said.maybe: format changed',
  ],
  ['a schema that becomes closed', withSchema({ additionalProperties: false }), 'Said: additionalProperties changed'],
  [
    'a change in a list',
    withProperties({ list: { type: 'array', items: { type: 'object', properties: {}, required: ['of'] } } }),
    'Said.list[].of: removed',
  ],
  ['a list of anything', withProperties({ list: { type: 'array' } }), 'Said.list: items dropped'],
  ['a removed type', { ...shape, types: {} }, 'Said: removed'],
  ['another key', { ...shape, key: '<kid>' }, 'key changed'],
  ['another topic', { ...shape, topic: 'said.v2' }, 'topic changed'],
  ['other partitions', { ...shape, partitions: 24 }, 'partitions changed'],
  ['other headers', { ...shape, headers: { a: '1' } }, 'headers changed'],
])('refuses %s', (_what, after, reason) => {
  expect(refusals(shape, after)).toEqual([reason]);
});

it('lets an enum grow only if its consumers accept unknown values', () => {
  const more = withProperties({ colour: { type: 'string', enum: ['red', 'blue', 'green'] } });
  expect(refusals(shape, more, new Set(['Said.colour']))).toEqual([]);
  expect(refusals(more, shape, new Set(['Said.colour']))).toEqual(['Said.colour: green is not a value any more']);
});

it.each([
  ['at the top', withSchema({ oneOf: [] })],
  ['in a new type', { ...shape, types: { ...shape.types, Later: { type: 'object', not: {} } } }],
  ['in a list', withProperties({ later: { type: 'array', items: { $ref: '#/x' } } })],
])('throws on a keyword that it cannot compare, %s', (_where, after) => {
  expect(() => refusals(shape, after)).toThrow('is not a keyword that can be compared');
});

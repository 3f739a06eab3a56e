import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { PROMISED } from './documents';
import { brokenPromises, promisesOf, textOfPromises, type Promises } from './promises';

describe.each(PROMISED)('$path', ({ path, build }) => {
  const text = readFileSync(repository(path), 'utf8');
  const today = promisesOf(build());

  it('is kept by the API of today', () => {
    expect(brokenPromises(JSON.parse(text) as Promises, today)).toEqual([]);
  });

  it('says what the API promises today (npm run openapi)', () => {
    expect(text === textOfPromises(today)).toBe(true);
  });
});

interface Changes {
  readonly taken?: object;
  readonly given?: object;
  readonly operation?: object;
  readonly answer?: object;
}

const promised = ({ taken, given, operation, answer }: Changes = {}) =>
  promisesOf({
    security: [{ basic: [] }],
    paths: {
      '/things': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          responses: {
            201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Receipt' } } }, ...answer },
            409: {},
          },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string', enum: ['a', 'b'] }, note: { type: ['string', 'null'], maxLength: 9 } },
          ...taken,
        },
        Receipt: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, state: { type: 'string', enum: ['new', 'old'] } },
          ...given,
        },
      },
    },
  });
const broken = (changes: Changes) => brokenPromises(promised(), promised(changes));
const kind = { type: 'string', enum: ['a', 'b'] };
const note = { type: ['string', 'null'], maxLength: 9 };
const id = { type: 'string' };
const state = { type: 'string', enum: ['new', 'old'] };

it.each<[string, Changes, string]>([
  ['a field that becomes required', { taken: { required: ['kind', 'note'] } }, 'taken Thing: newly asks note'],
  ['a field that is taken no more', { taken: { properties: { kind } } }, 'taken Thing.note: removed'],
  [
    'a value that is taken no more',
    { taken: { properties: { kind: { ...kind, enum: ['a'] }, note } } },
    'taken Thing.kind: no longer "b"',
  ],
  [
    'null that is taken no more',
    { taken: { properties: { kind, note: { ...note, type: 'string' } } } },
    'taken Thing.note: no longer null',
  ],
  [
    'another limit',
    { taken: { properties: { kind, note: { ...note, maxLength: 8 } } } },
    'taken Thing.note: newly asks maxLength 8',
  ],
  [
    'a parameter that is required',
    { operation: { parameters: [{ in: 'query', name: 'at', required: true, schema: {} }] } },
    'POST /things: newly asks query at',
  ],
  ['other credentials', { operation: { security: [{ key: [] }] } }, 'POST /things: no longer credentials: basic'],
  ['an answer without a field', { given: { properties: { id } } }, 'given Receipt.state: removed'],
  ['a field that may be missing', { given: { required: [] } }, 'given Receipt: no longer id'],
  [
    'a field that may be null',
    { given: { properties: { id: { type: ['string', 'null'] }, state } } },
    'given Receipt.id: newly asks null',
  ],
  [
    'a new value in answers',
    { given: { properties: { id, state: { ...state, enum: ['new', 'old', 'odd'] } } } },
    'given Receipt.state: newly asks "odd"',
  ],
  [
    'an answer of any value',
    { given: { properties: { id, state: { type: 'string' } } } },
    'given Receipt.state: no longer one of its values',
  ],
])('refuses %s', (_what, changes, fault) => {
  expect(broken(changes)).toEqual([fault]);
});

it.each<[string, (schema: object) => Changes, { from: object; to: object; fault: string }]>([
  [
    'an answer of any type',
    (any) => ({ given: { properties: { id, state, any } } }),
    { from: id, to: {}, fault: 'given Receipt.any: no longer one of its types' },
  ],
  [
    'an answer of one more form',
    (any) => ({ given: { properties: { id, state, any } } }),
    {
      from: { oneOf: [id] },
      to: { oneOf: [id, kind] },
      fault: 'given Receipt.any: no longer oneOf [{"type":"string"}]',
    },
  ],
  [
    'one type where all were taken',
    (any) => ({ taken: { properties: { kind, note, any } } }),
    { from: {}, to: id, fault: 'taken Thing.any: newly asks one of its types' },
  ],
  [
    'a named schema where all was taken',
    (any) => ({ taken: { properties: { kind, note, any } } }),
    { from: {}, to: { $ref: '#/components/schemas/Receipt' }, fault: 'taken Thing.any: newly asks Receipt' },
  ],
  [
    'a list of some items where all were taken',
    (any) => ({ taken: { properties: { kind, note, any } } }),
    {
      from: { type: 'array' },
      to: { type: 'array', items: id },
      fault: 'taken Thing.any: newly asks items of a schema',
    },
  ],
])('refuses %s', (_what, changes, { from, to, fault }) => {
  expect(brokenPromises(promised(changes(from)), promised(changes(to)))).toEqual([fault]);
});

it('refuses an address, a method of it, or a body that is gone', () => {
  expect(broken({ answer: { content: {} } })).toContain('POST /things 201 application/json: removed');
  const none = promisesOf({ paths: {}, security: [], components: { schemas: {} } });
  expect(brokenPromises(promised(), none)).toContain('POST /things: removed');
});

it('accepts what only adds: fields, values that are taken, what was required, tighter answers', () => {
  const wider = {
    required: [],
    properties: { kind: { ...kind, enum: ['a', 'b', 'c'] }, note, more: { type: 'string' } },
  };
  const further = { required: ['id', 'state'], properties: { id, state: { ...state, enum: ['new'] }, more: id } };
  expect(broken({ taken: wider, given: further, answer: { headers: { ETag: {} } } })).toEqual([]);
});

it('refuses a keyword of schemas that it cannot compare', () => {
  expect(() => promised({ taken: { dependentRequired: {} } })).toThrow(
    'taken Thing: dependentRequired is not a keyword',
  );
});

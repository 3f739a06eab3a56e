import 'reflect-metadata';
import { type ClassConstructor, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { ApiError } from './api-error';
import { parseJson } from './lossless-json';
import { validateBody } from './validate-body';

class Identity {
  @IsIn(['email', 'other'])
  identity_type!: string;

  @IsString()
  identity_value!: string;
}

class Wish {
  @IsString()
  kind!: string;

  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(1_000)
  @ValidateNested({ each: true })
  @Type(() => Identity)
  subject_identities?: Identity[];
}

class Event {
  @IsString()
  event_type!: string;

  @IsObject()
  data!: Record<string, unknown>;
}

class Base {
  @IsOptional()
  @IsObject()
  user_attributes?: Record<string, unknown>;
}

/** Typed lists with something free in each element, as the bodies of events have them. */
class Batch extends Base {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Event)
  events!: Event[];
}

function messages(json: unknown, at?: string, type: ClassConstructor<object> = Wish): string[] {
  try {
    validateBody(type, json, at);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.faults.map(({ message }) => message);
  }
  throw new Error('was not refused with 400');
}

it('returns the parsed value with its unknown fields', () => {
  const json = { kind: 'access', subject_identities: [{ identity_type: 'email', identity_value: 'a' }], more: 1n };
  expect(validateBody(Wish, json)).toBe(json);
});

it('names every fault by its path', () => {
  const faults = messages({
    subject_identities: [
      { identity_type: 'email', identity_value: 'a' },
      {},
      { identity_type: 'x', identity_value: 7 },
    ],
  });
  expect(faults).toEqual([
    'kind must be a string',
    'subject_identities[1].identity_type must be one of the following values: email, other',
    'subject_identities[1].identity_value must be a string',
    'subject_identities[2].identity_type must be one of the following values: email, other',
    'subject_identities[2].identity_value must be a string',
  ]);
});

it.each([5, 'x', true, {}, { identity_type: 'email' }, { length: 2 }])(
  'names one fault of %j in place of a list: not its size or elements',
  (subject_identities) => {
    expect(messages({ kind: 'access', subject_identities }, 'here', Wish)).toEqual([
      'here.subject_identities must be an array',
    ]);
  },
);

it('repeats no value of the body', () => {
  const faults = messages({
    kind: 1,
    subject_identities: [{ identity_type: 'planted-type', identity_value: ['planted-value'] }],
  });
  expect(faults.join()).not.toMatch(/planted/);
});

it('puts the position of an item before the path', () => {
  expect(messages({}, '[3]')).toEqual(['[3].kind must be a string']);
});

it.each([[undefined], [null], ['text'], [[]], [1]])('refuses %p in place of an object', (json) => {
  expect(messages(json)).toEqual(['The body must be a JSON object.']);
});

describe('a free-form field', () => {
  const awkward =
    '{"constructor":{"name":1,"deep":[{"constructor":"x"}]},"toString":1,"valueOf":null,"hasOwnProperty":[],"then":2,' +
    '"list":[[{"toString":9007199254740993}]]}';
  const parsed = (text: string) =>
    parseJson(Buffer.from(text), 20) as { events: { data: object }[]; user_attributes: object; more: object };

  it('keeps the parsed value with any keys, beside the list and in its elements', () => {
    const json = parsed(
      `{"events":[{"event_type":"a","data":${awkward}},{"event_type":"b","data":{}}],"user_attributes":${awkward},"more":${awkward}}`,
    );
    const batch = validateBody(Batch, json);
    expect(batch).toBe(json);
    expect(batch.events[0]?.data).toBe(json.events[0]?.data);
    expect(batch.user_attributes).toBe(json.user_attributes);
    expect(batch).toHaveProperty('more', json.more);
    expect(
      JSON.stringify(batch.user_attributes, (_key, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      ),
    ).toContain('"toString":1,"valueOf":null,"hasOwnProperty":[]');
  });

  it('is checked although a field names another class', () => {
    const events = parsed(
      '{"events":[{"event_type":1,"data":{},"constructor":"x","toString":1}],"constructor":{"name":"Object"}}',
    );
    expect(messages(events, '', Batch)).toEqual(['events[0].event_type must be a string']);
  });

  it.each([['text'], [[]], [null], [7], [[{ identity_type: 'email', identity_value: 'e' }]]])(
    'refuses the element %j, which is not an object',
    (element) => {
      expect(messages({ kind: 'access', subject_identities: [element] })).toEqual([
        'subject_identities[0] must be a JSON object.',
      ]);
    },
  );

  it('must not set a prototype', () => {
    for (const text of [
      '{"__proto__":{}}',
      '{"events":[{"data":{"__proto__":1}}]}',
      '{"more":{"constructor":{"prototype":{}}}}',
    ])
      expect(() => parsed(text)).toThrow();
    expect(messages(Object.create({ kind: 'access' }) as object)).toEqual(['kind must be a string']);
  });
});

describe('a list with many faults', () => {
  let checked = 0;
  let worded = 0;
  const counting = {
    name: 'isCounted',
    validator: {
      validate: (value: unknown) => ((checked += 1), value === 'good'),
      defaultMessage: () => ((worded += 1), '$property is not good'),
    },
  };

  class Counted {
    @ValidateBy(counting)
    word!: string;
  }

  class Limited {
    @IsArray()
    @ArrayMaxSize(50_000)
    @ValidateNested({ each: true })
    @Type(() => Counted)
    list!: Counted[];
  }

  const elements = (count: number, good = 0) => ({
    list: Array.from({ length: count }, (_, n) => ({ word: n < good ? 'good' : 'bad' })),
  });
  beforeEach(() => void ([checked, worded] = [0, 0]));

  it('is checked up to the 101st fault, with messages for these faults only', () => {
    expect(messages(elements(50_000), '', Limited)).toHaveLength(101);
    expect([checked, worded]).toEqual([101, 101]);
  });

  it('is checked up to the number of faults that the answer can still name', () => {
    expect(() => validateBody(Limited, elements(50_000, 7), '', 3)).toThrow('The request has 3 faults.');
    expect([checked, worded]).toEqual([10, 3]);
  });

  it('is counted first: no element of a list that is too long is checked', () => {
    expect(messages(elements(50_001), '', Limited)).toEqual(['list must contain no more than 50000 elements']);
    expect([checked, worded]).toEqual([0, 0]);
  });

  it('has each element checked once if all are correct', () => {
    validateBody(Limited, elements(50_000, 50_000));
    expect([checked, worded]).toEqual([50_000, 0]);
  });
});

it('refuses a class with unknown decorators', () => {
  class Unknown {
    @Allow()
    word!: string;
  }
  class Bare {}
  expect(() => validateBody(Unknown, {})).toThrow('Unknown.word has a decorator that bodies cannot have');
  expect(() => validateBody(Bare, {})).toThrow('Bare declares no rules');
});

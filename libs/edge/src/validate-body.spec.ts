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

it('gives what was parsed, unknown fields too', () => {
  const json = { kind: 'access', subject_identities: [{ identity_type: 'email', identity_value: 'a' }], more: 1n };
  expect(validateBody(Wish, json)).toBe(json);
});

it('names every fault at once, by its path', () => {
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
  'says of %j in place of a list that it is none, and nothing of how many elements it has or what they are',
  (subject_identities) => {
    expect(messages({ kind: 'access', subject_identities }, 'here', Wish)).toEqual([
      'here.subject_identities must be an array',
    ]);
  },
);

it('repeats no value that came', () => {
  const faults = messages({
    kind: 1,
    subject_identities: [{ identity_type: 'planted-type', identity_value: ['planted-value'] }],
  });
  expect(faults.join()).not.toMatch(/planted/);
});

it('puts the place of an item before the path', () => {
  expect(messages({}, '[3]')).toEqual(['[3].kind must be a string']);
});

it.each([[undefined], [null], ['text'], [[]], [1]])('refuses %p where an object is needed', (json) => {
  expect(messages(json)).toEqual(['The body must be a JSON object.']);
});

describe('what a caller may fill freely', () => {
  const awkward =
    '{"constructor":{"name":1,"deep":[{"constructor":"x"}]},"toString":1,"valueOf":null,"hasOwnProperty":[],"then":2,"list":[[{"toString":9007199254740993}]]}';
  const parsed = (text: string) =>
    parseJson(Buffer.from(text), 20) as { events: { data: object }[]; user_attributes: object; more: object };

  it('is the very value that was parsed, whatever its keys, beside the list and in its elements', () => {
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

  it('cannot hide from the checks behind a field that names another class', () => {
    const events = parsed(
      '{"events":[{"event_type":1,"data":{},"constructor":"x","toString":1}],"constructor":{"name":"Object"}}',
    );
    expect(messages(events, '', Batch)).toEqual(['events[0].event_type must be a string']);
  });

  it.each([['text'], [[]], [null], [7], [[{ identity_type: 'email', identity_value: 'e' }]]])(
    'refuses the element %j, which is no object',
    (element) => {
      expect(messages({ kind: 'access', subject_identities: [element] })).toEqual([
        'subject_identities[0] must be a JSON object.',
      ]);
    },
  );

  it('still may not reach for a prototype', () => {
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
  let told = 0;
  const counting = {
    name: 'isCounted',
    validator: {
      validate: (value: unknown) => ((checked += 1), value === 'good'),
      defaultMessage: () => ((told += 1), '$property is not good'),
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
  beforeEach(() => void ([checked, told] = [0, 0]));

  it('is looked at up to the 101st fault and no further, and of that many faults alone a message is made', () => {
    expect(messages(elements(50_000), '', Limited)).toHaveLength(101);
    expect([checked, told]).toEqual([101, 101]);
  });

  it('is looked at up to so many faults as the caller still has room for', () => {
    expect(() => validateBody(Limited, elements(50_000, 7), '', 3)).toThrow('The request has 3 faults.');
    expect([checked, told]).toEqual([10, 3]);
  });

  it('is counted first: of a list that is too long no element is looked at', () => {
    expect(messages(elements(50_001), '', Limited)).toEqual(['list must contain no more than 50000 elements']);
    expect([checked, told]).toEqual([0, 0]);
  });

  it('has each element looked at once where none is wrong', () => {
    validateBody(Limited, elements(50_000, 50_000));
    expect([checked, told]).toEqual([50_000, 0]);
  });
});

it('refuses a class whose decorators it does not know, rather than to pass them over', () => {
  class Unknown {
    @Allow()
    word!: string;
  }
  class Bare {}
  expect(() => validateBody(Unknown, {})).toThrow('Unknown.word has a decorator that bodies cannot have');
  expect(() => validateBody(Bare, {})).toThrow('Bare declares no rules');
});

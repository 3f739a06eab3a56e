type Fields = Readonly<Record<string, object>>;

const allOf = <const P extends Fields>(properties: P) =>
  ({
    additionalProperties: false,
    required: Object.keys(properties) as readonly (keyof P & string)[],
    properties,
  }) as const;

/** Pieces of the schemas of answers. An object has all of its fields, and no others. */
export const object = <const P extends Fields>(description: string, properties: P) =>
  ({ type: 'object', description, ...allOf(properties) }) as const;
export const objectOrNull = <const P extends Fields>(description: string, properties: P) =>
  ({ type: ['object', 'null'], description, ...allOf(properties) }) as const;
/** An object of a list, which describes it. */
export const item = <const P extends Fields>(properties: P) => ({ type: 'object', ...allOf(properties) }) as const;
export const list = <const S extends object>(description: string, items: S) =>
  ({ type: 'array', description, items }) as const;
export const objects = <const P extends Fields>(description: string, properties: P) =>
  list(description, item(properties));
export const time = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;
export const timeOrNull = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const word = (description: string) => ({ type: 'string', description }) as const;
export const oneOf = <const T extends string>(words: readonly T[], description: string) =>
  ({ type: 'string', enum: words, description }) as const;
export const oneOfOrNull = <const T extends string>(words: readonly T[], description: string) =>
  ({ type: ['string', 'null'], enum: [...words, null] as readonly (T | null)[], description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;

/** For the next page of a list. */
export const nextCursor = textOrNull('For the next page; null where the list ends.');

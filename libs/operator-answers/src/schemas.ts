/** Pieces of the schemas of answers. */
export const time = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;
export const timeOrNull = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', description }) as const;
export const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
export const word = (description: string) => ({ type: 'string', description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;

/** For the next page of a list. */
export const nextCursor = textOrNull('For the next page; null where the list ends.');

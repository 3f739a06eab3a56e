/** People who do not exist, with a little data for an archive. */
export const people = [
  { name: 'Ann', email: 'ann@example.com', customerId: 'c-1', colour: 'green' },
  { name: 'Ben', email: 'ben@example.com', customerId: 'c-2', colour: 'blue' },
  { name: 'Chloé', email: 'chloe@example.com', customerId: 'c-3', colour: 'red' },
] as const;

export type Person = (typeof people)[number];

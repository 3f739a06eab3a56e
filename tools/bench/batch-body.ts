const EVENTS_PER_BATCH = 10;

/** One event of about a hundred bytes; `n` makes it like no other. */
const eventOf = (n: number): string =>
  `{"event_type":"custom_event","data":{"event_name":"visit","custom_attributes":{"page":"/a/page/of/the/shop","n":${String(n)}}}}`;

const eventsOf = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => eventOf(first + at)).join(',');

/** A batch of a customer of the benchmark, made as text because its maker shares the machine. */
export const batchBody = (customer: string, first: number, events = EVENTS_PER_BATCH): string =>
  `{"user_identities":{"customer_id":"${customer}"},"environment":"production","events":[${eventsOf(first, events)}]}`;

export const identifyBody = (customer: string): string =>
  `{"user_identities":{"customer_id":"${customer}"},"environment":"production"}`;

export { EVENTS_PER_BATCH };

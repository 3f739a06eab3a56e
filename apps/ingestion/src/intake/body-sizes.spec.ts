import { Service, SERVICE_TOKEN } from '../testing/service';
import { World } from '../testing/world';

const SMALL = 120_000;
const GENERAL = 200_000;
const LARGE = 400_000;
const ORDER = 1_048_576;

let world: World;
let above: Service;
let below: Service;
beforeAll(async () => {
  world = await World.open();
  const start = (callBytes: number) => Service.start(world, { HTTP_BODY_LIMIT_BYTES: String(GENERAL), INGEST_CALL_LIMIT_BYTES: String(callBytes), INGEST_BATCH_LIMIT_BYTES: String(Math.min(callBytes, LARGE)) });
  above = await start(LARGE);
  below = await start(SMALL);
});
afterAll(async () => {
  await Promise.all([above.stop(), below.stop()]);
  await world.close();
});

/** A body of exactly so many bytes. */
const ofBytes = (bytes: number, json: object): string => {
  const empty = JSON.stringify({ ...json, padding: '' }).length;
  return JSON.stringify({ ...json, padding: 'x'.repeat(bytes - empty) });
};
const batch = { user_identities: { email: 'sizes@example.com' }, events: [] };
const ways = ['announced', 'in chunks'] as const;

/** The same bytes with their length in the headers, or without. */
const framed = (way: (typeof ways)[number], text: string): RequestInit => (way === 'announced' ? { body: text } : { body: new Blob([text]).stream(), duplex: 'half' });

const send = (way: (typeof ways)[number], text: string, authorization?: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) }, ...framed(way, text) });

import { representative } from '@opendsr-service/storage/testing';
import { BASIC, Service, SERVICE_TOKEN } from '../testing/service';
import { World } from '../testing/world';

const SMALL_BYTES = 120_000;
const GENERAL_BYTES = 200_000;
const LARGE_BYTES = 400_000;
const ORDER_BYTES = 1_048_576;

let world: World;
let below: Service;
let above: Service;
beforeAll(async () => {
  world = await World.open();
  const start = (bytes: number) =>
    Service.start(world, {
      HTTP_BODY_LIMIT_BYTES: String(GENERAL_BYTES),
      INGEST_CALL_LIMIT_BYTES: String(bytes),
      INGEST_BATCH_LIMIT_BYTES: String(bytes),
    });
  below = await start(SMALL_BYTES);
  above = await start(LARGE_BYTES);
});
afterAll(async () => {
  await Promise.all([below.stop(), above.stop()]);
  await world.close();
});

const framings = {
  announced: (text: string): RequestInit => ({ body: text }),
  'in chunks': (text: string): RequestInit => ({ body: new Blob([text]).stream(), duplex: 'half' }),
};

/** The status for a body of this size. */
async function statusOf(
  url: string,
  bytes: number,
  json: object,
  init: { framing: keyof typeof framings; authorization?: string },
): Promise<number> {
  const bare = JSON.stringify({ ...json, padding: '' });
  const text = JSON.stringify({ ...json, padding: 'x'.repeat(bytes - bare.length) });
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: init.authorization ?? BASIC },
    ...framings[init.framing](text),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('attributes', () => {
  const MOST_BYTES = 655_360;

  /** Has `count` numbers of 4 characters, which have 21 in full, and fills up to `bytes` in full. */
  function attributes(count: number, bytes: number): string {
    const numbers = Array.from({ length: count }, () => '1e20').join(',');
    const full = `{"n":[${numbers}],"s":""}`.length + count * 17;
    return `{"n":[${numbers}],"s":"${'x'.repeat(Math.max(0, bytes - full))}"}`;
  }

  it('whose numbers are too long in full get 413, and no profile is created', async () => {
    const identify = (email: string, json: string) =>
      above.post('/v1/identify', `{"user_identities":{"email":"${email}"},"user_attributes":${json}}`);
    const isKnown = async (email: string) =>
      (await above.post('/v1/search', { user_identities: { email } })).status === 200;
    for (const [email, json, status] of [
      ['fits@example.com', attributes(28_000, MOST_BYTES), 200],
      ['exceeds@example.com', attributes(28_000, MOST_BYTES + 1), 413],
      ['no-record@example.com', attributes(52_000, 0), 413],
    ] as const)
      expect([email, (await identify(email, json)).status, await isKnown(email)]).toEqual([
        email,
        status,
        status === 200,
      ]);
  });
});

describe.each(representative(['announced', 'in chunks'] as const))('a body %s', (framing) => {
  it.each([
    ['/v2/events', 202, { user_identities: { email: 'sizes@example.com' }, events: [] }],
    ['/v1/identify', 200, { user_identities: { email: 'sizes@example.com' } }],
  ])('of %s has its own limit, below or above the general one', async (path, taken, json) => {
    for (const [service, bytes] of [
      [below, SMALL_BYTES],
      [above, LARGE_BYTES],
    ] as const) {
      expect([bytes, await statusOf(service.url + path, bytes, json, { framing })]).toEqual([bytes, taken]);
      expect([bytes, await statusOf(service.url + path, bytes + 1, json, { framing })]).toEqual([bytes, 413]);
    }
  });

  it('of events or identities has at most 12,000 keys, over all its objects', async () => {
    const identified = { user_identities: { email: 'keys@example.com' }, events: [] };
    const withKeys = (keys: number) => ({ ...identified, more: Array.from({ length: keys - 4 }, () => ({ a: 0 })) });
    for (const [path, taken] of [
      ['/v2/events', 202],
      ['/v1/identify', 200],
    ] as const) {
      const keys = (count: number) => statusOf(above.url + path, LARGE_BYTES, withKeys(count), { framing });
      // `statusOf` adds a key.
      expect([path, await keys(11_999), await keys(12_000)]).toEqual([path, taken, 400]);
    }
  });

  it('of an export order may be longer than a public one', async () => {
    const order = (bytes: number) =>
      statusOf(`${below.adminUrl}/internal/exports`, bytes, {}, { framing, authorization: `Bearer ${SERVICE_TOKEN}` });
    expect([await order(ORDER_BYTES), await order(ORDER_BYTES + 1)]).toEqual([400, 413]);
  });

  it('of an export order must not be deeper than an order', async () => {
    const order = {
      ws: 'acme',
      srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
      kid: 'k',
      identities: 'x'.repeat(38),
      more: [],
    };
    const answer = await below.admin('/internal/exports', order);
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
      400,
      expect.stringContaining('nested deeper than 1 levels'),
    ]);
  });
});

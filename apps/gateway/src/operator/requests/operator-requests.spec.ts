import 'reflect-metadata';
import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { callbackEvents } from '../../testing/callback-events';
import { OperatorWorld } from '../testing/operator-world';

const DAY_MS = 86_400_000;

let world: OperatorWorld;
beforeAll(async () => {
  world = await OperatorWorld.open();
});
afterAll(() => world.close());

const shown = async (path: string, groups: readonly string[] = ['viewer']) => {
  const answer = await world.call('GET', path, { groups });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<{ requests: { subject_request_id: string }[]; next_cursor: string | null }>;
};
const idsOf = async (path: string, groups?: readonly string[]) =>
  (await shown(path, groups)).requests.map(({ subject_request_id: id }) => id);

it('finds requests by id, controller and group, and lists them in pages', async () => {
  const [one, two, three] = [
    await world.request({ group_id: 'family' }),
    await world.request({ subject_request_type: 'erasure' }),
    await world.request({ group_id: 'family' }),
  ];
  expect(await idsOf(`/requests?id=${two.toUpperCase()}`)).toEqual([two]);
  expect((await idsOf('/requests?controller=sandbox')).toSorted()).toEqual([one, two, three].toSorted());
  expect(await idsOf('/requests?controller=1402')).toEqual([]);
  const family = '/requests?workspace=sandbox&group=family';
  const whole = await idsOf(family);
  expect(whole.toSorted()).toEqual([one, three].toSorted());
  const begun = await shown(`${family}&limit=1`);
  expect(begun.requests).toHaveLength(1);
  const ended = await shown(`${family}&limit=1&cursor=${begun.next_cursor}`);
  expect([...begun.requests, ...ended.requests].map((each) => each.subject_request_id)).toEqual(whole);
  expect(ended.next_cursor).toBeNull();
  expect(await idsOf('/requests?workspace=no-such&group=family')).toEqual([]);
  expect(await idsOf(`${family}&id=${three}`)).toEqual([three]);
  expect(await idsOf(`${family}&id=${two}`)).toEqual([]);
  expect(await idsOf('/requests?workspace=sandbox&type=erasure', ['viewer@sandbox'])).toEqual([two]);
  const first = await shown('/requests?limit=2');
  const second = await shown(`/requests?limit=2&cursor=${first.next_cursor}`);
  expect([...first.requests, ...second.requests].map((each) => each.subject_request_id).toSorted()).toEqual(
    [one, two, three].toSorted(),
  );
  expect(await shown('/request-counts')).toEqual({
    counted_time: world.world.clock.now().toISOString(),
    ...{ open: 3, pending: 3, in_progress: 0, on_track: 3, at_risk: 0, overdue: 0, due_within_week: 0 },
    ...{ open_over_7_days: 0, open_over_30_days: 0, open_over_60_days: 0 },
  });
});

it('says how requests stand to their legal date', async () => {
  const id = await world.request();
  const stateOf = async () => ((await shown(`/requests?id=${id}`)).requests[0] as { legal_state?: string }).legal_state;
  const states = [await stateOf()];
  world.world.clock.advance(28 * DAY_MS);
  states.push(await stateOf());
  expect(await shown('/request-counts')).toMatchObject({
    ...{ on_track: 0, at_risk: 4, overdue: 0, open_over_7_days: 4, open_over_30_days: 0 },
  });
  expect(await idsOf('/requests?overdue=true')).toEqual([]);
  expect(await idsOf('/requests?due_within=7d')).toContain(id);
  expect(await idsOf('/requests?legal_state=at_risk')).toHaveLength(4);
  expect(await idsOf('/requests?legal_state=on_track')).toEqual([]);
  world.world.clock.advance(10 * DAY_MS);
  states.push(await stateOf());
  expect(states).toEqual(['on_track', 'at_risk', 'overdue']);
  expect(await idsOf('/requests?overdue=true')).toContain(id);
  expect(await idsOf('/requests?legal_state=at_risk')).toEqual([]);
});

it('says of requests that have ended whether their legal date was kept', async () => {
  const prompt = await world.request();
  expect((await world.service.call('DELETE', `/v2/requests/${prompt}`)).status).toBe(202);
  const now = world.world.clock.now();
  const receivedAt = new Date(now.getTime() - 40 * DAY_MS);
  const late = { _id: 'acme:late', ws: 'acme', srid: 'late', type: 'access', status: 'completed', controllerId: 'c' };
  await world.world.parts.connection
    .collection<{ _id: string }>('requests')
    .insertOne({ ...late, ...{ receivedAt, expectedAt: now, dueBy: new Date(now.getTime() - 1), completedAt: now } });
  const statesOf = async (filter: string) =>
    (await shown(`/requests?${filter}`)).requests.map((one) => [
      one.subject_request_id,
      (one as { legal_state?: string }).legal_state,
    ]);
  expect(await statesOf('legal_state=missed')).toEqual([['late', 'missed']]);
  expect(await statesOf('legal_state=kept&ended_within=1d')).toEqual([[prompt, 'kept']]);
  const story: unknown = await shown(`/requests/sandbox/${prompt}`);
  expect(story).toMatchObject({ request_status: 'cancelled', legal_state: 'kept' });
});

it('shows one request without whom it is about, with the state of its key and a tag of what was read', async () => {
  const email = 'somebody@example.com';
  const url = 'https://receiver.example.com/callbacks?token=hidden';
  const id = await world.request({
    group_id: 'family',
    status_callback_urls: [url],
    subject_identities: [{ identity_type: 'email', identity_value: email, identity_format: 'raw' }],
  });
  const read = () => world.call('GET', `/requests/sandbox/${id}`, { groups: ['viewer@sandbox'] });
  const answer = await read();
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject({
    ...{ workspace: 'sandbox', subject_request_id: id, request_status: 'pending', key: 'alive' },
    ...{ open_destinations: 1, decisions: 1, extended: false },
  });
  const callbacks = await (await world.call('GET', `/requests/sandbox/${id}/callbacks`, { groups: ['viewer'] })).text();
  expect(callbacks).toBe('{"callbacks":[],"next_cursor":null}');
  for (const secret of [email, 'somebody', 'receiver.example.com', 'hidden', 'family'])
    expect(text).not.toContain(secret);
  const tag = answer.headers.get('etag');
  expect((await read()).headers.get('etag')).toBe(tag);
  await world.service.call('DELETE', `/v2/requests/${id}`);
  expect((await read()).headers.get('etag')).not.toBe(tag);
});

it('lists the callbacks of a request in pages, each with the tag of the whole list', async () => {
  const hosts = ['a', 'b', 'c'].map((host) => `https://${host}.example.com/callbacks`);
  const id = await world.request({ status_callback_urls: hosts });
  const destinations = (await world.world.store.find('sandbox', id))?.openDestinations ?? [];
  const told = destinations.flatMap((destination) =>
    ([1, 2] as const).map((version) => callbackEvents({ ws: 'sandbox', srid: id, destination, version })),
  );
  const publish = (events: readonly Parameters<typeof deliveryEvents.encode>[0][]) =>
    world.world.publisher.publish(
      TOPICS.deliveryEvents.name,
      events.map((event) => deliveryEvents.encode(event)),
    );
  await publish(told.map((callback) => callback.queued(0, 15)));
  const page = async (query: string) => {
    const path = `/requests/sandbox/${id}/callbacks${query}`;
    const answer = await world.call('GET', path, { groups: ['viewer'] });
    const body = (await answer.json()) as { callbacks: { delivery_id: string }[]; next_cursor: string | null };
    return {
      status: answer.status,
      tag: answer.headers.get('etag'),
      next: body.next_cursor,
      callbacks: body.callbacks,
    };
  };
  await until(async () => (await page('')).callbacks.length === 6);
  const whole = await page('');
  expect(whole.next).toBeNull();
  expect(whole.callbacks.map(({ delivery_id: delivery }) => delivery).toSorted()).toEqual(
    told.map(({ delivery }) => delivery).toSorted(),
  );
  const pages = [await page('?limit=4')];
  pages.push(await page(`?limit=4&cursor=${pages[0]?.next}`));
  expect(pages.map(({ callbacks, next }) => [callbacks.length, next === null])).toEqual([
    [4, false],
    [2, true],
  ]);
  expect(pages.flatMap(({ callbacks }) => callbacks)).toEqual(whole.callbacks);
  expect(pages.map(({ tag }) => tag)).toEqual([whole.tag, whole.tag]);

  // What changes on the second page changes the tag of the first.
  const last = told.filter(({ delivery }) => delivery === whole.callbacks.at(-1)?.delivery_id);
  await publish(last.map((callback) => callback.attempted(1, 16, 'delivered', { httpStatus: 202, durationMs: 5 })));
  await until(async () => (await page('?limit=1')).tag !== whole.tag);
  expect((await page('?limit=1')).callbacks).toEqual(whole.callbacks.slice(0, 1));
  const refused = ['limit=0', 'limit=201', 'cursor=x', `cursor=${(await shown('/requests?limit=1')).next_cursor}`];
  for (const query of [...refused, 'more=1']) expect((await page(`?${query}`)).status).toBe(400);
});

it.each(['/requests/sandbox/x', '/requests/sandbox/475974fa-6b42-4370-bb56-b5d845686bb5'])(
  'does not know %s',
  async (path) => {
    const answer = await world.call('GET', path, { groups: ['viewer'] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  },
);

it('names the faults of a list, without their values', async () => {
  const answer = await world.call('GET', '/requests?limit=999&status=hunter2&nonsense=hunter2', { groups: ['viewer'] });
  const text = await answer.text();
  expect([answer.status, text.includes('hunter2')]).toEqual([400, false]);
  expect((JSON.parse(text) as { errors: object[] }).errors).toHaveLength(3);
});

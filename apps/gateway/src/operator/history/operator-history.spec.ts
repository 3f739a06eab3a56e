import 'reflect-metadata';
import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { callbackEvents } from '../../testing/callback-events';
import { publishCancellation } from '../../testing/publish-events';
import { OperatorWorld } from '../testing/operator-world';

interface Story {
  readonly events: readonly {
    readonly id: string;
    readonly time: string;
    readonly kind: string;
    readonly facts: object;
  }[];
  readonly next_cursor: string | null;
}

interface Logged {
  readonly entries: readonly { readonly index: number; readonly kind: string; readonly is_covered: boolean }[];
  readonly next_cursor: string | null;
}

const PERSON = 'somebody@example.com';
const REASON = 'Ann asked for it by telephone';

let world: OperatorWorld;
beforeAll(async () => {
  world = await OperatorWorld.open({ ACCESS_WAIT_MS: '30d' });
});
afterAll(() => world.close());

const read = (path: string, groups = ['viewer@sandbox']) => world.call('GET', path, { groups });
const story = async (id: string, more = '') =>
  (await (await read(`/requests/sandbox/${id}/events${more}`)).json()) as Story;

it('lists what happened to a request in the order of time, without personal data', async () => {
  const id = await world.request({
    subject_identities: [{ identity_type: 'email', identity_value: PERSON, identity_format: 'raw' }],
    status_callback_urls: ['https://receiver.example.com/callbacks?token=hidden'],
    group_id: 'family',
  });
  const [destination = ''] = (await world.world.store.find('sandbox', id))?.openDestinations ?? [];
  const callback = callbackEvents({ ws: 'sandbox', srid: id, destination });
  await world.world.publisher.publish(
    TOPICS.deliveryEvents.name,
    [
      callback.queued(0, 15),
      callback.attempted(1, 16, 'rejected', { httpStatus: 503, durationMs: 5, nextAt: callback.nextAt(90) }),
    ].map((event) => deliveryEvents.encode(event)),
  );
  const reports = { crm: { status: 'skipped', at: '2026-11-21T10:00:00.000Z', waivedBy: 'officer' } };
  await world.world.parts.connection
    .collection('requests')
    .updateOne({ _id: `sandbox:${id}` as never }, { $set: { reports } });
  const body = { reason: REASON };
  await world.call('POST', `/requests/sandbox/${id}/identities`, { groups: ['officer'], body });
  await until(async () => (await story(id)).events.some(({ kind }) => kind === 'callback_attempted'));

  const { events, next_cursor: next } = await story(id);
  expect([events.map(({ kind }) => kind).toSorted(), next]).toEqual([
    [
      'callback_attempted',
      'callback_due',
      'callback_queued',
      'command_waiting',
      'noted',
      'participant_reported',
      'received',
    ],
    null,
  ]);
  expect(events[0]?.kind).toBe('received');
  const facts = Object.fromEntries(events.map((event) => [event.kind, event.facts]));
  expect(facts).toMatchObject({
    noted: { action: 'identities-revealed', role: 'officer' },
    participant_reported: { participant: 'crm', participant_status: 'skipped', role: 'officer' },
    callback_attempted: { delivery_id: callback.delivery, attempt: 1, outcome: 'rejected', http_status: 503 },
    command_waiting: { command: 'SubmitRequest', number: 1 },
    callback_due: { delivery_id: callback.delivery, request_status: 'pending' },
  });
  for (const secret of [PERSON, 'Ann', 'machine', 'hidden', 'receiver.example.com', 'family'])
    expect(JSON.stringify(events)).not.toContain(secret);

  const pages: Story[] = [await story(id, '?limit=2')];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await story(id, `?limit=2&cursor=${cursor}`));
  expect(pages.flatMap((page) => page.events)).toEqual(events);
});

it('has no attestation before the end, and then the bundle that its controller gets', async () => {
  const id = await world.request();
  const path = `/requests/sandbox/${id}/attestation`;
  expect((await read(path)).status).toBe(404);
  await world.service.call('DELETE', `/v2/requests/${id}`);
  await publishCancellation(world.world, { ws: 'sandbox', srid: id });
  await until(async () => (await read(path)).status === 200);
  const answer = await read(path);
  expect(answer.headers.get('content-type')).toBe('application/vnd.opendsr-service.attestation-bundle.v1+json');
  const bundle = (await answer.json()) as { envelope: string; leaf: { index: number } };
  const own = await world.service.call('GET', `/v2/requests/${id}/attestation/bundle`);
  expect(((await own.json()) as typeof bundle).envelope).toBe(bundle.envelope);
  expect([(await read(`${path}?statement=2`)).status, (await read(`${path}?statement=3`)).status]).toEqual([404, 400]);
  expect((await story(id)).events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['cancelled', 'attested']));

  const reveal = { groups: ['officer'], body: { reason: REASON } };
  await world.call('POST', `/requests/sandbox/${id}/identities`, reveal);
  const logged = async (query = '') => {
    const found = await read(`/requests/sandbox/${id}/log-entries${query}`);
    return { ...((await found.json()) as Logged), status: found.status };
  };
  const entries = async () => (await logged()).entries;
  await until(async () => (await entries()).filter(({ is_covered: isCovered }) => isCovered).length === 2);
  expect((await entries()).map(({ kind }) => kind)).toEqual(['attestation', 'identity-reveal']);
  expect((await entries())[0]?.index).toBe(bundle.leaf.index);

  const first = await logged('?limit=1');
  const second = await logged(`?limit=1&cursor=${first.next_cursor}`);
  expect([first, second].map((page) => page.entries.length)).toEqual([1, 1]);
  expect([...first.entries, ...second.entries]).toEqual(await entries());
  expect([second.next_cursor, (await logged()).next_cursor]).toEqual([null, null]);
  for (const query of ['?limit=0', '?limit=201', '?cursor=x', '?cursor=WyJsb2ctZW50cmllcyIsIngiXQ', '?more=1'])
    expect((await logged(query)).status).toBe(400);
});

it.each(['events', 'attestation', 'log-entries'])('does not know %s of a request that is not there', async (what) => {
  expect((await read(`/requests/sandbox/475974fa-6b42-4370-bb56-b5d845686bb5/${what}`)).status).toBe(404);
});

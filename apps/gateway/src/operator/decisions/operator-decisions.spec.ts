import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { deliveryEvents, isRecordSignedBy, TOPICS, VERSIONS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { identitiesOf } from '../reveals/identities.store';
import { callbackEvents } from '../../testing/callback-events';
import { OperatorWorld } from '../testing/operator-world';

const REASON = 'Ann asked for it by telephone';

let world: OperatorWorld;
beforeAll(async () => {
  world = await OperatorWorld.open({ ACCESS_WAIT_MS: '30d' });
});
afterAll(() => world.close());

const read = async (id: string) => {
  const answer = await world.call('GET', `/requests/sandbox/${id}`, { groups: ['viewer'] });
  return { tag: answer.headers.get('etag') ?? '', request: (await answer.json()) as Record<string, unknown> };
};
const decide = (id: string, what: string, given: { groups?: string[]; tag?: string; body?: object } = {}) =>
  world.call('POST', `/requests/sandbox/${id}/${what}`, {
    groups: given.groups ?? ['officer@sandbox'],
    headers: { ...(given.tag !== undefined && { 'if-match': given.tag }) },
    body: given.body ?? { reason: REASON },
  });
const audit = async (id: string) => {
  const found = await world.world.parts.connection.collection('audit').find({ ws: 'sandbox', srid: id }).toArray();
  return found.map(({ action, by, role }) => `${action} ${by} ${role}`);
};
/** The request service has recorded the request. */
const recorded = (id: string) => world.world.store.acknowledge({ ws: 'sandbox', srid: id, v: 1, commandSeq: 1 });

it('extends a legal date once, by the role and not by the person', async () => {
  const id = await world.request();
  await recorded(id);
  const { tag } = await read(id);
  const answer = await decide(id, 'extension', { tag });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ extended: true, extended_by: 'officer' });
  expect(answer.headers.get('etag')).toBe((await read(id)).tag);
  expect(await audit(id)).toEqual(['deadline-extension-asked machine officer']);
  const again = await decide(id, 'extension', { tag: (await read(id)).tag });
  expect([again.status, await audit(id)]).toEqual([409, ['deadline-extension-asked machine officer']]);
});

it.each(VERSIONS)('status answers of version $apiVersion say the date of the extension', async (version) => {
  const requests = `/${version.root}/${version.requestsRoute}`;
  const [id, group] = [randomUUID(), randomUUID()];
  const body = {
    ...(version.hasRegulation && { regulation: 'gdpr' }),
    ...{ subject_request_id: id, subject_request_type: 'access', group_id: group },
    submitted_time: world.world.clock.now().toISOString(),
    subject_identities: [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }],
  };
  const receipt = await world.service.call('POST', requests, { body });
  const { expected_completion_time: first } = (await receipt.json()) as Record<string, string>;
  const expected = async (path: string) => {
    const answer = await world.service.call('GET', `${requests}${path}`);
    const records = [await answer.json()].flat() as Record<string, unknown>[];
    return [answer.status, ...records.map(({ expected_completion_time: at }) => at)];
  };
  expect(await expected(`/${id}`)).toEqual([200, first]);
  await recorded(id);
  expect((await decide(id, 'extension', { tag: (await read(id)).tag })).status).toBe(200);
  const { legal_due_time: extended, times } = (await read(id)).request;
  expect(extended).not.toBe((times as Record<string, unknown>)['first_legal_due']);
  for (const path of [`/${id}`, `?group_id=${group}`]) expect(await expected(path)).toEqual([200, extended]);
});

it('cancels on behalf of a controller, and keeps the reason where only the key of the request opens it', async () => {
  const id = await world.request();
  const { tag } = await read(id);
  expect((await decide(id, 'cancellation', { tag })).status).toBe(200);
  const status = await world.service.call('GET', `/v2/requests/${id}`);
  expect(await status.json()).toMatchObject({ request_status: 'cancelled' });
  expect(await audit(id)).toEqual(['request-cancel-asked machine officer']);
  const stored = JSON.stringify(await world.world.parts.connection.collection('audit').find({}).toArray());
  expect(stored).not.toContain('Ann');
  const request = { ws: 'sandbox', srid: id };
  const known = await identitiesOf(world.world.parts.connection, world.service.vault, request);
  expect(known?.decisions).toMatchObject([{ action: 'request-cancel-asked', by: 'machine', reason: REASON }]);
  const again = await decide(id, 'cancellation', { tag: (await read(id)).tag });
  expect([again.status, await audit(id)]).toEqual([409, ['request-cancel-asked machine officer']]);
});

it.each([
  ['extension', 'extended'],
  ['cancellation', 'cancelled'],
])('the story has the wish for an %s before it is %s', async (what, effect) => {
  const id = await world.request();
  await recorded(id);
  const { tag } = await read(id);
  const { clock } = world.world;
  const begun = clock.now().getTime();
  let passed = 0;
  const ticking = jest.spyOn(clock, 'now').mockImplementation(() => new Date(begun + (passed += 1)));
  try {
    expect((await decide(id, what, { tag })).status).toBe(200);
  } finally {
    ticking.mockRestore();
  }
  const story = await world.call('GET', `/requests/sandbox/${id}/events`, { groups: ['viewer'] });
  const { events } = (await story.json()) as { events: { kind: string }[] };
  expect(events.map(({ kind }) => kind).filter((kind) => ['noted', effect].includes(kind))).toEqual(['noted', effect]);
});

it.each(['extension', 'cancellation'])('decides about an %s only on what was read', async (what) => {
  const id = await world.request();
  await recorded(id);
  const { tag, request } = await read(id);
  expect((await decide(id, what)).status).toBe(428);
  for (const other of ['"other"', `W/${tag}`, '*']) expect((await decide(id, what, { tag: other })).status).toBe(412);
  expect(await audit(id)).toEqual([]);
  expect((await read(id)).request).toEqual(request);
});

it.each([[{}], [{ reason: '' }], [{ reason: 'x'.repeat(257) }], [{ reason: 'two\nlines' }], [{ reason: 7 }]])(
  'refuses the reason of %j',
  async (body) => {
    const id = await world.request();
    const { tag } = await read(id);
    const answer = await decide(id, 'cancellation', { tag, body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(/reason must be (a string|longer|shorter|one line)/);
    expect(await audit(id)).toEqual([]);
  },
);

it('sends a callback again', async () => {
  const id = await world.request({ status_callback_urls: ['https://a.example.com/callbacks'] });
  const [destination = ''] = (await world.world.store.find('sandbox', id))?.openDestinations ?? [];
  const callback = callbackEvents({ ws: 'sandbox', srid: id, destination });
  await world.world.publisher.publish(
    TOPICS.deliveryEvents.name,
    [callback.queued(0, 15), callback.attempted(1, 16, 'delivered', { httpStatus: 202, durationMs: 5 })].map((event) =>
      deliveryEvents.encode(event),
    ),
  );
  const path = `/requests/sandbox/${id}/callbacks`;
  await until(async () =>
    (await (await world.call('GET', path, { groups: ['viewer'] })).text()).includes('"delivered"'),
  );
  const listed = await world.call('GET', path, { groups: ['viewer'] });
  const again = (tag?: string) =>
    decide(id, `callbacks/${callback.delivery}/replay`, { groups: ['operator'], ...(tag !== undefined && { tag }) });
  expect([(await again()).status, (await again('"other"')).status, await audit(id)]).toEqual([428, 412, []]);
  const replay = await again(listed.headers.get('etag') ?? '');
  expect([replay.status, await replay.json()]).toMatchObject([202, { delivery_id: callback.delivery, destination }]);
  expect(await audit(id)).toEqual(['callback-replay-asked machine operator']);
});

it('waives a participant that a request waits for, and no other', async () => {
  const id = await world.request();
  const participants = [{ name: 'crm', status: 'pending' }];
  const set = (fields: object) =>
    world.world.parts.connection.collection('requests').updateOne({ _id: `sandbox:${id}` as never }, { $set: fields });
  await set({ extensions: participants });
  expect((await decide(id, 'participants/crm/waiver')).status).toBe(428);
  expect((await decide(id, 'participants/crm/waiver', { tag: '"other"' })).status).toBe(412);
  const waiverOf = async (name: string) => decide(id, `participants/${name}/waiver`, { tag: (await read(id)).tag });
  expect((await waiverOf('erp')).status).toBe(404);
  await set({ outbox: [{ type: 'StartRequest' }] });
  const early = await waiverOf('crm');
  expect([early.status, early.headers.get('retry-after'), await audit(id)]).toEqual([503, '1', []]);
  await set({ outbox: [] });
  expect((await waiverOf('crm')).status).toBe(202);
  expect(await audit(id)).toEqual(['participant-waiver-asked machine officer']);
  const [report] = await world.world.records(TOPICS.participantReports.name, 1);
  const value = report?.value ?? Buffer.alloc(0);
  expect(JSON.parse(value.toString())).toMatchObject({ participant: 'crm', status: 'skipped', waivedBy: 'officer' });
  expect(value.toString()).not.toContain('Ann');
  expect(isRecordSignedBy({ value, headers: report?.headers ?? {} }, world.service.waiverKey)).toBe(true);
});

import { ParkedStore, PublishRefused } from '@opendsr-service/messaging';
import type { ParkedPage, ServiceAnswers, Upstream } from '@opendsr-service/operator-answers';
import { auditedLeafId } from '../../evidence/audited-leaves';
import { OperatorWorld } from '../testing/operator-world';

const A = '475974fa-6b42-4370-bb56-b5d845686bb5';
const TOPIC = 'dsr.request-events.v1';
const idOf = (offset: number) => `gateway~${TOPIC}~1~${offset}`;
const HOST = {
  ...{ workspace: 'acme', host: 'h', state: 'ok' as const, last_delivered_time: null, failing_since: null },
  last_attempt: { time: '2026-11-21T12:00:00.000Z', outcome: 'delivered' as const, http_status: 202 },
  ...{ paused_until: null, waiting: 0, next_attempt_time: null },
};

/** A record that the callback-dispatcher parked, which it shows to who asks for its request. */
const parkedElsewhere = (srid: string): ParkedPage['parked'][number] => ({
  ...{ service: 'callback-dispatcher', id: `callback-dispatcher~${TOPIC}~0~7`, group: 'callback-dispatcher' },
  ...{ topic: TOPIC, partition: 0, offset: '7', key: `sandbox:${srid}`, workspace: 'sandbox' },
  ...{ subject_request_id: srid, type: null, reason: 'not-json', since: '2026-11-21T23:00:00.000Z' },
  ...{ kind: 'blocking', marked: false },
});

/** What the callback-dispatcher was asked, and what the other services answer. */
const asked: object[] = [];
const failing = () => Promise.reject(new Error('away'));
const dispatcher: Partial<ServiceAnswers> = {
  process: failing,
  parked: ({ srid }) =>
    Promise.resolve({ parked: srid === undefined ? [] : [parkedElsewhere(srid)], next_cursor: null }),
  destinations: (question) => {
    asked.push(question);
    return Promise.resolve({ destinations: [HOST], next_cursor: question.after === 'acme|h' ? null : 'acme|h' });
  },
  destinationCounts: (question) => {
    asked.push(question);
    return Promise.resolve({ failing: 2, paused: 1 });
  },
  requestState: (question) => {
    asked.push(question);
    return Promise.resolve({ destinations: [] });
  },
  destination: ({ host }) => Promise.resolve(host === 'h' ? { ...HOST, requests: [] } : null),
};
const results: Partial<ServiceAnswers> = {
  process: failing,
  parked: failing,
  parkedRecord: failing,
  requestState: failing,
};
const beside = [
  { name: 'callback-dispatcher', services: ['callback-dispatcher'], answers: dispatcher },
  { name: 'results', services: ['results'], answers: results },
] as readonly Upstream[];

let world: OperatorWorld;
let parked: ParkedStore;
beforeAll(async () => {
  world = await OperatorWorld.open({}, beside);
  parked = new ParkedStore(world.world.parts.connection, () => world.world.clock.now().getTime());
});
beforeEach(() => world.world.parts.connection.collection('parked').deleteMany({}));
afterAll(() => world.close());

const read = async (path: string, group = 'viewer') => {
  const answer = await world.call('GET', path, { groups: [group] });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};
const change = async (path: string, body: object, group = 'operator', headers: object = {}) => {
  const answer = await world.call('POST', path, { groups: [group], body, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};
const tagOf = async (offset: number) => {
  const answer = await world.call('GET', `/parked/gateway/${idOf(offset)}`, { groups: ['viewer'] });
  return { 'if-match': answer.headers.get('etag') ?? '"none"' };
};
const park = (key: string, offset: number, reason = 'odd') =>
  parked.park(
    'gateway',
    {
      ...{ topic: TOPIC, partition: 1, offset: String(offset), key, timestampMs: 7 },
      ...{ value: Buffer.from('ann@example.com'), headers: {} },
    },
    reason,
  );
const audited = () =>
  world.world.parts.connection
    .collection('audit')
    .find({ action: { $in: ['parked-redrive-asked', 'parked-drop-asked'] } })
    .sort({ at: 1 })
    .toArray();

describe('hosts of destinations', () => {
  it('are asked for by the workspaces that the caller reaches, page by page', async () => {
    const first = await read('/destinations?state=ok&limit=1');
    expect(first).toMatchObject({ status: 200, body: { destinations: [HOST], unavailable: [] } });
    expect(asked.at(-1)).toEqual({ workspaces: undefined, state: 'ok', limit: 1, after: undefined });
    const cursor = first.body['next_cursor'] as unknown as string;
    expect((await read(`/destinations?cursor=${cursor}`, 'viewer@acme')).body['next_cursor']).toBeNull();
    expect(asked.at(-1)).toMatchObject({ workspaces: ['acme'], after: 'acme|h', limit: 50 });
    expect((await read('/destinations?workspace=sandbox', 'viewer@acme')).status).toBe(403);
    expect((await read('/destinations?cursor=x&state=odd&limit=0')).body).toMatchObject({ status: 400 });
  });

  it('are read by workspace and host', async () => {
    expect(await read('/destinations/acme/h')).toMatchObject({ status: 200, body: { requests: [] } });
    expect((await read('/destinations/acme/other')).status).toBe(404);
  });
});

describe('parked records', () => {
  it('are those of all services that answer, and the others are named', async () => {
    await park(`acme:${A}`, 1);
    const { status, body } = await read('/parked');
    expect(status).toBe(200);
    expect(body).toMatchObject({ parked: [{ id: idOf(1), workspace: 'acme' }], next_cursor: null });
    // Not configured: request and ingestion. Away: results.
    expect(body['unavailable']).toEqual(['request', 'results', 'ingestion']);
    expect(JSON.stringify(body)).not.toContain('ann@example');
    expect((await read(`/parked/results/${idOf(1)}`)).status).toBe(503);
    expect((await read('/parked/unknown/x')).status).toBe(404);
  });

  it('come in pages that go on with the next service', async () => {
    await park(`acme:${A}`, 1);
    await park(`acme:${A}`, 2);
    const first = await read('/parked?limit=2');
    expect(first.body['parked']).toHaveLength(2);
    const cursor = first.body['next_cursor'] as unknown as string;
    expect((await read(`/parked?limit=2&cursor=${cursor}`)).body).toMatchObject({ parked: [], next_cursor: null });
  });

  it('are shown to those alone who reach their workspace', async () => {
    await park(`acme:${A}`, 1);
    await park('a foreign key', 2);
    const seen = async (group: string) => {
      const { body } = await read('/parked', group);
      return (body['parked'] as unknown as { offset: string }[]).map(({ offset }) => offset);
    };
    expect([await seen('viewer'), await seen('viewer@acme'), await seen('viewer@sandbox')]).toEqual([
      ['1', '2'],
      ['1'],
      [],
    ]);
    expect((await read(`/parked?key=acme:${A}`)).body['parked']).toHaveLength(1);
    expect((await read(`/parked?key=acme:${A}`, 'viewer@sandbox')).body['parked']).toEqual([]);
    expect((await read(`/parked/gateway/${idOf(1)}`, 'viewer@acme')).status).toBe(200);
    expect((await read(`/parked/gateway/${idOf(1)}`, 'viewer@sandbox')).status).toBe(404);
    expect((await read(`/parked/gateway/${idOf(2)}`, 'viewer@acme')).status).toBe(404);
  });

  it('are redriven one by one or together, for a reason on the record, by roles that reach them', async () => {
    await park(`acme:${A}`, 1);
    await park(`acme:${A}`, 2, 'follows-parked-record');
    const reason = 'the participant is registered';
    const one = async (offset: number, group?: string) =>
      change(`/parked/gateway/${idOf(offset)}/redrive`, { reason }, group, await tagOf(offset));
    expect((await one(2)).status).toBe(409);
    expect((await one(1, 'operator@sandbox')).status).toBe(404);
    expect(await audited()).toEqual([]);
    expect(await one(1, 'operator@acme')).toEqual({
      status: 202,
      body: { marked: 1, marked_already: 0, next_cursor: null },
    });
    expect(await audited()).toMatchObject([
      {
        ...{ ws: 'acme', srid: A, action: 'parked-redrive-asked', service: 'gateway', role: 'operator' },
        ...{ record: idOf(1).replaceAll('~', '/'), because: reason, by: 'machine' },
      },
    ]);
    const many = (body: object, group?: string) => change('/parked/gateway/redrive', { reason, ...body }, group);
    expect((await many({}, 'operator@acme')).status).toBe(403);
    expect((await many({ subject_request_id: A })).status).toBe(400);
    // The worker may have tried it meanwhile, and parked it again.
    const markedBy = async (...call: Parameters<typeof many>) => {
      const { body } = await many(...call);
      return Number(body['marked']) + Number(body['marked_already']);
    };
    expect(await markedBy({ workspace: 'acme' }, 'operator@acme')).toBe(1);
    const nothing = { workspace: null, subject_request_id: null, parked_reason: null, key: null, cursor: null };
    expect([await markedBy(nothing), (await many(nothing)).body['next_cursor']]).toEqual([1, null]);
    expect(await audited()).toHaveLength(4);
  });

  it.each(['redrive', 'drop'])('are changed by a %s only as they were read', async (what) => {
    await park(`acme:${A}`, 1);
    const path = `/parked/gateway/${idOf(1)}/${what}`;
    const tag = await tagOf(1);
    const before = await audited();
    await park(`acme:${A}`, 2, 'follows-parked-record');
    const statuses = [{}, { 'if-match': '"other"' }, tag].map(async (headers) => {
      return (await change(path, { reason: 'x' }, 'operator', headers)).status;
    });
    expect(await Promise.all(statuses)).toEqual([428, 412, 412]);
    expect(await audited()).toEqual(before);
  });

  it('are given up after the wish is on the record and in the transparency log', async () => {
    await park(`acme:${A}`, 1);
    await park(`acme:${A}`, 2, 'follows-parked-record');
    const drop = async (offset: number) =>
      change(`/parked/gateway/${idOf(offset)}/drop`, { reason: 'never' }, 'operator', await tagOf(offset));
    expect((await drop(2)).status).toBe(409);
    expect(await drop(1)).toEqual({ status: 200, body: { dropped: idOf(1), behind: 1 } });
    const entry = (await audited()).find(({ action }) => action === 'parked-drop-asked');
    expect(entry).toMatchObject({ ws: 'acme', srid: A, because: 'never', role: 'operator' });
    expect(await leaves()).toEqual([auditedLeafId(String(entry?._id), { ws: 'acme', action: 'parked-drop-asked' })]);
    expect((await drop(1)).status).toBe(404);
  });

  it('are those of the kind that is asked for, and are changed by kind, but never given up by kind alone', async () => {
    await park(`acme:${A}`, 41);
    await park(`acme:${A}`, 42, 'follows-parked-record');
    const seen = async (kind: string) => {
      const { body } = await read(`/parked?service=gateway&kind=${kind}`);
      return (body['parked'] as unknown as { offset: string }[]).map(({ offset }) => offset);
    };
    expect([await seen('blocking'), await seen('waiting'), await seen('aside')]).toEqual([['41'], ['42'], []]);
    expect((await read('/parked?kind=odd')).status).toBe(400);
    const drop = (body: object) => change('/parked/gateway/drop', { reason: 'gone', ...body });
    expect([
      (await drop({ kind: 'blocking' })).status,
      (await drop({ kind: 'odd', workspace: 'acme' })).status,
    ]).toEqual([400, 400]);
    expect((await drop({ kind: 'aside', workspace: 'acme' })).body).toMatchObject({ dropped: 0, left: 0 });
    expect((await drop({ kind: 'blocking', workspace: 'acme' })).body).toMatchObject({ dropped: 1, left: 0 });
  });

  it('are given up together, each on the record and in the log, but never all of a service', async () => {
    await park(`acme:${A}`, 11);
    await park(`acme:${A}`, 12, 'follows-parked-record');
    await park('sandbox:x', 13);
    const [entries, logged] = [(await audited()).length, (await leaves()).length];
    const many = (body: object, group?: string) =>
      change('/parked/gateway/drop', { reason: 'the system is gone', ...body }, group);
    expect([(await many({})).status, (await many({ subject_request_id: A })).status]).toEqual([400, 400]);
    expect((await many({ workspace: 'acme' }, 'operator@sandbox')).status).toBe(403);
    expect((await many({ parked_reason: 'odd' }, 'operator@acme')).status).toBe(403);
    // What waits behind a record that stays is left.
    expect((await many({ parked_reason: 'follows-parked-record' })).body).toMatchObject({ dropped: 0, left: 1 });
    expect([(await audited()).length, (await leaves()).length]).toEqual([entries, logged]);
    expect(await many({ workspace: 'acme' }, 'operator@acme')).toEqual({
      ...{ status: 200, body: { dropped: 2, left: 0, next_cursor: null } },
    });
    expect(await audited()).toHaveLength(entries + 2);
    for (const record of [idOf(11), idOf(12)].map((id) => id.replaceAll('~', '/')))
      expect((await audited()).filter((entry) => entry['record'] === record)).toMatchObject([
        { ws: 'acme', srid: A, action: 'parked-drop-asked', role: 'operator' },
      ]);
    expect((await leaves()).length).toBe(logged + 2);
    expect((await read('/parked?service=gateway')).body).toMatchObject({ parked: [{ id: idOf(13) }] });
  });

  it('are given up together until one fails: the answer says how many, and the next call goes on there', async () => {
    for (const offset of [21, 22, 23]) await park(`acme:${A.slice(0, -2)}${String(offset)}`, offset);
    const { publisher } = world.world.parts.log;
    const publish = publisher.publish.bind(publisher);
    let refuses = (_nth: number): boolean => false;
    let published = 0;
    const spy = jest.spyOn(publisher, 'publish').mockImplementation((topic, ...rest) => {
      if (topic !== 'dsr.evidence-leaves.v1' || !refuses((published += 1))) return publish(topic, ...rest);
      return Promise.reject(new PublishRefused('full', 'no'));
    });
    const drop = (cursor?: string) =>
      change('/parked/gateway/drop', { reason: 'gone', workspace: 'acme', ...(cursor && { cursor }) });
    refuses = (nth) => nth === 2;
    const next_cursor = idOf(21);
    expect(await drop()).toEqual({ status: 200, body: { dropped: 1, left: 0, next_cursor } });
    refuses = () => true;
    expect((await drop(next_cursor)).status).toBe(503);
    spy.mockRestore();
    expect((await drop(next_cursor)).body).toEqual({ dropped: 2, left: 0, next_cursor: null });
  });

  it('are given up together in the order of the log, whatever the order of their ids, and at most 100 by a call', async () => {
    await park(`acme:${A}`, 9);
    await park(`acme:${A}`, 10, 'follows-parked-record');
    const others = Array.from({ length: 100 }, (_, n) => 1_000 + n);
    await Promise.all(others.map((n) => park(`acme:${A.slice(0, -4)}${n}`, n)));
    const drop = (cursor: unknown) => change('/parked/gateway/drop', { reason: 'gone', workspace: 'acme', cursor });
    const first = await drop(null);
    expect(first.body).toMatchObject({ dropped: 100, left: 0 });
    expect((await drop(first.body['next_cursor'])).body).toEqual({ dropped: 2, left: 0, next_cursor: null });
    expect((await read('/parked?service=gateway')).body).toMatchObject({ parked: [] });
  });

  it.each([null, 'not-aside'])(
    'are given up together (kind: %s) after those that wait behind them, so that the service handles none of these',
    async (kind) => {
      await park(`acme:${A}`, 9);
      const waiting = Array.from({ length: 101 }, (_, n) => 10 + n);
      await Promise.all(waiting.map((offset) => park(`acme:${A}`, offset, 'follows-parked-record')));
      const { publisher } = world.world.parts.log;
      const publish = publisher.publish.bind(publisher);
      const isFirstThere: boolean[] = [];
      const spy = jest.spyOn(publisher, 'publish').mockImplementation(async (topic, ...rest) => {
        const first = { offset: '9', done: null };
        if (topic === 'dsr.evidence-leaves.v1')
          isFirstThere.push((await world.world.parts.connection.collection('parked').findOne(first)) !== null);
        return publish(topic, ...rest);
      });
      const drop = (cursor: unknown) =>
        change('/parked/gateway/drop', { reason: 'gone', workspace: 'acme', kind, cursor });
      const { body } = await drop(null);
      expect(body).toMatchObject({ dropped: 100, left: 0 });
      expect((await drop(body['next_cursor'])).body).toEqual({ dropped: 2, left: 0, next_cursor: null });
      spy.mockRestore();
      expect(isFirstThere).toEqual(Array.from({ length: 102 }, () => true));
    },
  );

  it('are given up together until one behind another fails, and the next call goes on there', async () => {
    await park(`acme:${A}`, 9);
    await park(`acme:${A}`, 10, 'follows-parked-record');
    const { publisher } = world.world.parts.log;
    const publish = publisher.publish.bind(publisher);
    let published = 0;
    const spy = jest.spyOn(publisher, 'publish').mockImplementation((topic, ...rest) => {
      if (topic !== 'dsr.evidence-leaves.v1' || (published += 1) !== 2) return publish(topic, ...rest);
      return Promise.reject(new PublishRefused('full', 'no'));
    });
    const drop = (cursor: unknown) => change('/parked/gateway/drop', { reason: 'gone', workspace: 'acme', cursor });
    const { body } = await drop(null);
    spy.mockRestore();
    expect(body).toMatchObject({ dropped: 1, left: 0, next_cursor: expect.any(String) as string });
    expect((await drop(body['next_cursor'])).body).toEqual({ dropped: 1, left: 0, next_cursor: null });
  });

  it.each([
    ['gone', { $set: { done: true } }, { dropped: 2, left: 1, next_cursor: null }],
    ['being handled', { $set: { token: 'claim', redriveAt: new Date(8.64e15) } }, { dropped: 1, left: 2 }],
  ])('are given up together, each counted once, where one behind another is %s meanwhile', async (_, fate, answer) => {
    await park(`acme:${A}`, 9);
    for (const offset of [10, 11]) await park(`acme:${A}`, offset, 'follows-parked-record');
    const { publisher } = world.world.parts.log;
    const publish = publisher.publish.bind(publisher);
    const stored = world.world.parts.connection.collection('parked');
    let published = 0;
    const spy = jest.spyOn(publisher, 'publish').mockImplementation(async (topic, ...rest) => {
      await publish(topic, ...rest);
      if (topic === 'dsr.evidence-leaves.v1' && (published += 1) === 1) await stored.updateOne({ offset: '11' }, fate);
    });
    const { body } = await change('/parked/gateway/drop', { reason: 'gone', workspace: 'acme' });
    spy.mockRestore();
    expect(body).toMatchObject(answer);
  });

  /** The leaves of drops that the log got. */
  const leaves = async () => {
    const of: unknown[] = [];
    await world.world.parts.log.read('dsr.evidence-leaves.v1', {}, (records) => {
      for (const { value } of records) {
        const leaf = JSON.parse(value.toString()) as { kind: string; id: string };
        if (leaf.kind === 'parked-drop') of.push(leaf.id);
      }
      return Promise.resolve();
    });
    return of;
  };
});

describe('the story of a request', () => {
  it('has the parked records of all services, and names those that are away', async () => {
    const id = await world.request();
    await park(`sandbox:${id}`, 1);
    const { body } = await read(`/requests/sandbox/${id}/events`);
    const events = body['events'] as unknown as { kind: string; facts: object }[];
    const facts = events.filter(({ kind }) => kind === 'parked').map((event) => event.facts);
    expect(facts).toEqual([
      { service: 'gateway', topic: TOPIC, reason: 'odd' },
      { service: 'callback-dispatcher', topic: 'dsr.request-events.v1', reason: 'not-json' },
    ]);
    expect(body['unavailable']).toEqual(['request', 'results', 'ingestion']);
  });
});

describe('the overview', () => {
  const ended = (n: number, more: object) => ({
    ...{ _id: `acme:ended${n}`, ws: 'acme', srid: `ended${n}`, type: 'access', status: 'completed', controllerId: 'c' },
    ...{ expectedAt: hoursAgo(0), ...more },
  });
  const hoursAgo = (hours: number) => new Date(world.world.clock.now().getTime() - hours * 3_600_000);

  it('counts what came and ended, and names what is away', async () => {
    await park(`acme:${A}`, 1);
    await world.request();
    await world.world.parts.connection
      .collection<{ _id: string }>('requests')
      .insertMany([
        ended(1, { receivedAt: hoursAgo(30), completedAt: hoursAgo(2), callbacksFailing: true }),
        ended(2, { receivedAt: hoursAgo(200), cancelledAt: hoursAgo(25) }),
        ended(3, { receivedAt: hoursAgo(300), completedAt: hoursAgo(169) }),
      ]);
    const { status, body } = await read('/overview');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ received: { day: 2, week: 3 }, ended: { day: 1, week: 2 }, callbacks_failing: 1 },
      ...{
        destinations: { failing: 2, paused: 1 },
        unavailable: expect.arrayContaining(['results', 'request']) as string[],
      },
    });
    expect(body['service']).toMatchObject({ oldest_outbox_seconds: expect.any(Number) as number });
    expect(asked.at(-1)).toEqual({ workspaces: undefined });
    expect((await read('/requests?callbacks=failing')).body).toMatchObject({
      requests: [{ subject_request_id: 'ended1' }],
    });
    expect((await read('/requests?ended_within=7d')).body['requests']).toHaveLength(2);
  });

  it('counts what came and ended on each of the last days, in the workspaces of the caller', async () => {
    interface Day {
      readonly day: string;
      readonly received: number;
      readonly ended: number;
    }
    const daysOf = async (group: string) => (await read('/overview', group)).body['days'] as unknown as readonly Day[];
    const dayOf = (at: Date) => at.toISOString().slice(0, 10);
    const days = await daysOf('viewer');
    const last = Array.from({ length: 14 }, (_, n) => dayOf(hoursAgo(24 * (13 - n))));
    expect(days.map(({ day }) => day)).toEqual(last);
    const came = [hoursAgo(0), hoursAgo(0), hoursAgo(30), hoursAgo(200), hoursAgo(300)].map(dayOf);
    const went = [hoursAgo(2), hoursAgo(25), hoursAgo(169)].map(dayOf);
    const expected = (received: readonly string[], ended: readonly string[]) => {
      const countOf = (dates: readonly string[], day: string) => dates.filter((one) => one === day).length;
      return last.map((day) => ({ day, received: countOf(received, day), ended: countOf(ended, day) }));
    };
    expect(days).toEqual(expected(came, went));
    expect(await daysOf('viewer@acme')).toEqual(expected(came.slice(2), went));
    expect(await daysOf('viewer@sandbox')).toEqual(expected(came.slice(0, 2), []));
  });

  it('shows of the service itself nothing to those who do not reach all workspaces', async () => {
    expect((await read('/overview', 'viewer@sandbox')).body).toMatchObject({
      ...{ received: { day: 2, week: 2 }, ended: { day: 0, week: 0 }, callbacks_failing: 0, service: null },
    });
    expect(asked.at(-1)).toEqual({ workspaces: ['sandbox'] });
    expect((await read('/overview?workspace=acme', 'viewer')).body).toMatchObject({
      ended: { week: 2 },
      service: null,
    });
    expect((await read('/overview?workspace=acme', 'viewer@sandbox')).status).toBe(403);
    expect((await read('/overview?other=x')).status).toBe(400);
  });
});

describe('the system', () => {
  it('is shown with what is away, and its secrets hidden, to those alone who reach all workspaces', async () => {
    const { status, body } = await read('/system');
    expect(status).toBe(200);
    const services = body['services'] as unknown as { service: string; state: string }[];
    expect(services.slice(1).map(({ service, state }) => [service, state])).toEqual([
      ['callback-dispatcher', 'unavailable'],
      ['results', 'unavailable'],
      ['request', 'unavailable'],
      ['ingestion', 'unavailable'],
    ]);
    expect(services[0]).toMatchObject({ state: 'ok' });
    expect((body['topics'] as unknown as { exists: boolean }[]).length).toBeGreaterThan(5);
    expect((await read('/system', 'viewer@acme')).status).toBe(403);
  });
});

describe('what the services hold about a request', () => {
  it('is what each of them answers, and names those that are away', async () => {
    const id = await world.request();
    const { status, body } = await read(`/requests/sandbox/${id}/services`, 'viewer@sandbox');
    const nothing = { request: null, results: null, ingestion: null };
    expect([status, body]).toEqual([
      200,
      {
        services: { ...nothing, 'callback-dispatcher': { destinations: [] } },
        unavailable: ['request', 'results', 'ingestion'],
      },
    ]);
    expect(asked.at(-1)).toEqual({ service: 'callback-dispatcher', ws: 'sandbox', srid: id });
    expect((await read(`/requests/sandbox/${A}/services`)).status).toBe(404);
  });
});

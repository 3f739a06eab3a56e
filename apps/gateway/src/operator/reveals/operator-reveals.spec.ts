import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { evidenceLeaves, TOPICS } from '@opendsr-service/contracts';
import { identitiesOf } from './identities.store';
import { AuditStore } from '../../audit/audit.store';
import { World } from '../../testing/world';
import { DecisionNotes } from '../decisions/decision-notes';
import { OperatorWorld } from '../testing/operator-world';
import { OperatorReveals } from './operator-reveals';
import { RevealsStore } from './reveals.store';

const REASON = 'The subject Bob complains that nothing came';
const EMAIL = 'ann@example.com';
const identities = [{ identity_type: 'email', identity_value: EMAIL }];
const sent = identities.map((one) => ({ ...one, identity_format: 'raw' }));
const HOUR_MS = 3_600_000;

describe('by one operator', () => {
  let world: OperatorWorld;
  beforeAll(async () => {
    world = await OperatorWorld.open({ RATE_LIMIT_OPERATOR_REVEALS_PER_DAY: '5' });
  });
  afterAll(() => world.close());
  const reveal = (id: string, by = 'ann', body: object = { reason: REASON }) =>
    world.call('POST', `/requests/sandbox/${id}/identities`, { groups: ['officer@sandbox'], by, body });
  const audited = (id: string) =>
    world.world.parts.connection.collection('audit').find({ ws: 'sandbox', srid: id }).toArray();

  it('shows whom a request is about, with what else its key seals', async () => {
    const id = await world.request({
      ...{ subject_identities: sent, group_id: 'family' },
      status_callback_urls: ['https://receiver.example.com/callbacks?token=hidden'],
    });
    const answer = await reveal(id);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      ...{ workspace: 'sandbox', subject_request_id: id, identities, group_id: 'family', extension_reason: null },
      callback_hosts: ['receiver.example.com'],
      decisions: [{ action: 'identities-revealed', by: 'ann', reason: REASON }],
    });
    expect(text).not.toContain('hidden');
  });

  it('is on the record before: in the audit trail, and in the transparency log by the digest of that entry', async () => {
    const id = await world.request();
    await reveal(id);
    const [entry, ...more] = await audited(id);
    expect([entry, more]).toMatchObject([{ action: 'identities-revealed', by: 'ann', role: 'officer' }, []]);
    expect(JSON.stringify(entry)).not.toMatch(/Bob|ann@/);
    const { _id, ws, srid, action, by, role, reason, at } = entry as unknown as Record<string, unknown> & { at: Date };
    const text = JSON.stringify({ id: _id, ws, srid, action, by, role, reason, at: at.toISOString() });
    const digest = createHash('sha256').update(text).digest('base64url');
    const codec = evidenceLeaves(world.service.vault.leafKey);
    const leaves = (await world.world.records(TOPICS.evidenceLeaves.name, 2)).map((one) => codec.decode(one));
    expect(leaves.filter((leaf) => leaf.digest === digest)).toMatchObject([{ kind: 'identity-reveal', ws: 'sandbox' }]);
  });

  it('has a limit of its own', async () => {
    const id = await world.request();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await reveal(id, 'eve')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await world.call('GET', '/session', { groups: ['officer'], by: 'eve' })).status).toBe(200);
  });

  it('needs a reason, and a request whose key is alive', async () => {
    const id = await world.request();
    expect((await reveal(id, 'carl', {})).status).toBe(400);
    expect((await reveal('475974fa-6b42-4370-bb56-b5d845686bb5', 'carl')).status).toBe(404);
    const kid = (await world.world.store.find('sandbox', id))?.kid ?? '';
    await world.service.vault.destroy('sandbox', kid, 'request');
    expect([(await reveal(id, 'carl')).status, await audited(id)]).toEqual([410, []]);
  });
});

describe('with the approval of a second person', () => {
  let world: OperatorWorld;
  beforeAll(async () => {
    world = await OperatorWorld.open({ OPERATOR_REVEAL_APPROVAL: 'true' });
  });
  afterAll(() => world.close());
  const call = (method: string, path: string, by: string, groups = ['officer@sandbox']) =>
    world.call(method, path, { groups, by, ...(method === 'POST' && { body: { reason: REASON } }) });
  const reveal = (id: string, by = 'ann') => call('POST', `/requests/sandbox/${id}/identities`, by);
  const wishOf = async (answer: Response) => (await answer.json()) as { id: string };
  const approve = async (wish: string, by: string, groups?: string[]) =>
    (await call('POST', `/reveals/${wish}/approval`, by, groups)).status;
  const listed = async (state: string, groups = ['officer@sandbox']) => {
    const answer = await call('GET', `/reveals?state=${state}`, 'bob', groups);
    return ((await answer.json()) as { reveals: { id: string }[] }).reveals.map(({ id }) => id);
  };

  it('shows it once somebody else has approved, and once only', async () => {
    const id = await world.request({ subject_identities: sent });
    const first = await reveal(id);
    const text = await first.text();
    expect([first.status, text.includes(EMAIL)]).toEqual([202, false]);
    const wish = JSON.parse(text) as { id: string };
    expect(wish).toMatchObject({ state: 'open', asked_by: 'ann', reason: REASON, approved_by: null });
    expect(await wishOf(await reveal(id))).toEqual(wish);
    expect(await listed('open')).toContain(wish.id);

    expect([await approve(wish.id, 'ann'), (await reveal(id)).status]).toEqual([409, 202]);
    expect([await approve(wish.id, 'bob'), await approve(wish.id, 'carl')]).toEqual([200, 409]);
    expect([await listed('open'), await listed('approved')]).toEqual([
      expect.not.arrayContaining([wish.id]),
      expect.arrayContaining([wish.id]),
    ]);
    expect((await reveal(id, 'bob')).status).toBe(202);

    const answer = await reveal(id);
    expect([answer.status, await answer.json()]).toMatchObject([200, { identities }]);
    expect((await reveal(id)).status).toBe(202);
    const entries = await world.world.parts.connection.collection('audit').find({ srid: id }).toArray();
    expect(entries.map(({ action, by }) => `${action} ${by}`)).toEqual(
      expect.arrayContaining([
        'identities-reveal-asked ann',
        'identities-reveal-approved bob',
        'identities-revealed ann',
      ]),
    );
    expect(entries.find(({ action }) => action === 'identities-revealed')).toMatchObject({ approvedBy: 'bob' });
  });

  it('is not approved by who may not see it, and not later than a day', async () => {
    const id = await world.request();
    const { id: wish } = await wishOf(await reveal(id));
    expect([await approve(wish, 'bob', ['officer@acme']), await listed('open', ['officer@acme'])]).toEqual([404, []]);
    expect(await approve('475974fa-6b42-4370-bb56-b5d845686bb5', 'bob')).toBe(404);
    world.world.clock.advance(24 * HOUR_MS);
    expect([await approve(wish, 'bob'), (await reveal(id)).status]).toEqual([404, 202]);
  });
});

describe('what cannot be recorded', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  it.each([
    ['the event log', { slow: true }],
    ['the event log, known to be', { away: true }],
  ])('is not shown: %s is away', async (_what, state) => {
    const { connection, clock, vault, publisher } = { ...world.parts };
    const { ws, srid } = await world.admit({ identities: [{ type: 'email', value: EMAIL }] });
    const reveals = new OperatorReveals({
      ...{ requests: world.store, vault, publisher, needsApproval: false },
      reveals: new RevealsStore(connection, () => clock.now().getTime()),
      notes: new DecisionNotes({ audit: new AuditStore(connection), vault, clock }),
      identities: (...[of, id]) => identitiesOf(connection, vault, { ws: of, srid: id }),
    });
    const decision = { ws, srid, subject: 'ann', role: 'officer', reason: REASON, requestId: 'r' } as const;
    Object.assign(publisher, state);
    await expect(reveals.reveal(decision)).rejects.toMatchObject({ status: 503 });
    Object.assign(publisher, { slow: false, away: false });
    expect(await reveals.reveal(decision)).toMatchObject({ identified: { identities: [{ value: EMAIL }] } });
  });

  it('is not shown where the audit trail cannot be written', async () => {
    const { connection, clock, vault, publisher } = world.parts;
    const { ws, srid } = await world.admit({ identities: [{ type: 'email', value: EMAIL }] });
    let shown = 0;
    const reveals = new OperatorReveals({
      ...{ requests: world.store, vault, publisher, needsApproval: false },
      reveals: new RevealsStore(connection, () => clock.now().getTime()),
      notes: new DecisionNotes({ audit: { add: () => Promise.reject(new Error('full')) }, vault, clock }),
      identities: () => ((shown += 1), Promise.resolve(undefined)),
    });
    const decision = { ws, srid, subject: 'ann', role: 'officer', reason: REASON, requestId: 'r' } as const;
    await expect(reveals.reveal(decision)).rejects.toThrow('full');
    expect(shown).toBe(0);
  });
});

import { join } from 'node:path';
import { identitiesSeal, TOPICS } from '@opendsr-service/contracts';
import { systemClock } from '@opendsr-service/service';
import { ensureMasterKey, MasterSeal, openVault, type Vault } from '@opendsr-service/vault';
import { openWorkspaces } from '@opendsr-service/workspaces';
import { say } from '../testing/say';
import { Stores } from '../testing/stores';
import { requestsExtend } from './requests-extend.command';
import { requestsList } from './requests-list.command';
import { requestsShow } from './requests-show.command';

const commands = [requestsList, requestsExtend, requestsShow];
const now = new Date('2026-11-21T09:00:00Z');
const SOON = new Date('2026-11-25T23:59:59.999Z');
const TOPIC_NAMES = Object.values(TOPICS).map(({ name }) => name);
const REASON = 'Ann’s-file-is-on-paper';

let stores: Stores;
let vault: Vault;
let made = 0;

const run = (line: string, at = now) => say(line, { commands, env: { DATA_DIR: stores.dataDir }, now: () => at });
const gateway = async () => (await stores.database('gateway')).collection<{ _id: string }>('requests');

/** A request that was received for `gdpr` and is in progress, and its id. */
async function received(dueBy: Date, more: object = {}): Promise<string> {
  const srid = `475974fa-6b42-4370-bb56-${String((made += 1)).padStart(12, '0')}`;
  const key = await vault.newKey('acme', 'request');
  const identities = key.seal(identitiesSeal({ ws: 'acme', srid }), '[]');
  await (
    await gateway()
  ).insertOne({
    ...{
      _id: `acme:${srid}`,
      ws: 'acme',
      srid,
      status: 'in_progress',
      type: 'erasure',
      apiVersion: '2.0',
      groupId: null,
    },
    ...{ kid: key.kid, sealed: { identities, callbacks: [] }, seq: 2, v: 2, openDestinations: [], outbox: [] },
    ...{ receivedAt: now, legalSince: new Date('2026-10-25T10:00:00Z'), legalDueAt: dueBy, dueBy },
    ...{ regulation: 'gdpr', countedBy: 'gdpr' },
    ...{ atRiskAt: new Date('2026-11-17T00:00:00Z'), expectedAt: dueBy, ...more },
  });
  return srid;
}

beforeAll(async () => {
  stores = await Stores.open();
  await stores.applyTopics();
  const masterKey = await ensureMasterKey(join(stores.dataDir, 'keys', 'master.key'));
  const clock = () => systemClock.now().getTime();
  ({ vault } = await openVault(await stores.database('keys'), { masterKey }, clock, {
    available: true,
    publish: () => Promise.resolve(),
  }));
  const workspaces = await openWorkspaces(await stores.database('workspaces'), vault, new MasterSeal(masterKey), clock);
  await workspaces.create({ ws: 'acme', name: 'Acme' });
  await workspaces.setLegalCalendar('acme', { timeZone: 'Europe/Berlin', holidays: ['2027-01-25'] });
});
beforeEach(() => stores.empty('requests', 'audit'));
afterAll(() => stores.close());

describe('dsr requests list', () => {
  it('shows what is overdue, due within a time, or open, the earliest date first, and how each stands', async () => {
    const later = await received(new Date('2027-01-15T23:59:59.999Z'), { atRiskAt: new Date('2027-01-01T00:00:00Z') });
    const soon = await received(SOON);
    const over = await received(new Date('2026-11-20T23:59:59.999Z'));
    await received(SOON, { status: 'completed' });
    const line = (id: string, dueBy: string, state: string) =>
      `${dueBy}T23:59:59.999Z  ${state}  acme  ${id}  erasure  gdpr  in_progress`;
    const [first, second] = [line(over, '2026-11-20', 'overdue'), line(soon, '2026-11-25', 'at-risk')];
    expect((await run('requests list --overdue')).out).toEqual([first]);
    expect((await run('requests list --due-within 7d')).out).toEqual([first, second]);
    expect((await run('requests list --open --workspace acme')).out).toEqual([
      first,
      second,
      line(later, '2027-01-15', 'on-track'),
    ]);
    expect(await run('requests list --open --workspace other')).toMatchObject({
      code: 0,
      out: ['there is no such request'],
    });
    const json = JSON.parse((await run('requests list --overdue --json')).out.join('')) as object;
    expect(json).toEqual({
      requests: [
        {
          ...{ dueBy: '2026-11-20T23:59:59.999Z', state: 'overdue', workspace: 'acme', id: over, type: 'erasure' },
          ...{ regulation: 'gdpr', status: 'in_progress', receivedAt: now.toISOString() },
          legalDueAt: '2026-11-20T23:59:59.999Z',
        },
      ],
    });
  });

  it.each(['', ' --open --overdue', ' --due-within 7d --open', ' --due-within soon', ' --due-within 7'])(
    'wants to know which requests, once:%s',
    async (options) => {
      expect((await run(`requests list${options}`)).code).toBe(2);
    },
  );
});

describe('dsr requests extend', () => {
  const extend = (id: string) => `requests extend --workspace acme --id ${id} --reason ${REASON} --by privacy-office`;

  it('extends by the calendar of the workspace, and says by when the data subject must hear of it', async () => {
    const id = await received(SOON);
    expect(await run(extend(id))).toEqual({
      code: 0,
      // Three months from the 25th of October end on a holiday.
      out: [
        `extended ${id} until 2027-01-26T22:59:59.999Z`,
        'The data subject must hear of it, with the reasons, by 2026-11-25T22:59:59.999Z.',
      ],
      err: [],
    });
    expect((await run('requests list --open')).out).toEqual([
      `2027-01-26T22:59:59.999Z  on-track  acme  ${id}  erasure  gdpr  in_progress  extended`,
    ]);
    const shown = (await run(`requests show --workspace acme --id ${id}`)).out;
    expect(shown).toEqual(
      expect.arrayContaining([
        'gateway.times.extendedUntil  2027-01-26T22:59:59.999Z',
        'gateway.extendedBy  privacy-office',
        'gateway.outbox[0].type  ExtendDeadline',
      ]),
    );
  });

  it('names who did it in the audit trail, before, and keeps the reason sealed: only --identities shows it', async () => {
    const id = await received(SOON);
    await run(extend(id));
    expect(await stores.audit()).toEqual([
      { ws: 'acme', srid: id, action: 'deadline-extension-asked', by: 'privacy-office', at: now },
    ]);
    expect(JSON.stringify(await (await gateway()).find({}).toArray())).not.toContain(REASON);
    const show = `requests show --workspace acme --id ${id}`;
    expect((await run(show)).out.join('\n')).not.toContain(REASON);
    expect((await run(`${show} --identities --by ops`)).out).toContain(`about.extensionReason  ${REASON}`);
  });

  it('refuses a second time, what has ended, what is over and what there is not, and says so', async () => {
    const id = await received(SOON);
    await run(extend(id));
    await stores.empty('audit');
    const refused = async (srid: string, at = now) => (await run(extend(srid), at)).err.join();
    expect(await refused(id)).toContain('extended before');
    expect(await refused(await received(SOON, { status: 'completed' }))).toContain('has ended');
    expect(await refused(await received(SOON), new Date(SOON.getTime() + 1))).toContain('is over');
    expect(await refused(await received(SOON, { v: 0 }))).toContain('not recorded it yet');
    expect(await refused('475974fa-6b42-4370-bb56-b5d845686bb5')).toContain('no such request');
    expect(await stores.audit()).toEqual([]);
  });

  it('changes nothing in the database of workspaces, which its user may only read, and writes no record', async () => {
    const workspaces = (await stores.database('workspaces')).collection('workspaces');
    await workspaces.dropIndex('name_1');
    const records = async () => (await Promise.all(TOPIC_NAMES.map((name) => stores.records(name)))).flat().length;
    const before = await records();
    expect((await run(extend(await received(SOON)))).code).toBe(0);
    expect((await workspaces.listIndexes().toArray()).map(({ name }) => name as string)).toEqual(['_id_']);
    expect(await records()).toBe(before);
  });

  it('wants an operator, who is a role and not a person, and a reason', async () => {
    const id = await received(SOON);
    for (const option of [/ --by \S+/, / --reason \S+/])
      expect((await run(extend(id).replace(option, ''))).code).toBe(2);
    expect((await run('requests extend --help')).out.join('\n')).toMatch(/--by ROLE[^]*a role or a team, not a person/);
  });
});

import { join } from 'node:path';
import { isRecordSignedBy, participantReports } from '@opendsr-service/contracts';
import { ensureMasterKey } from '@opendsr-service/vault';
import { waiverKey } from '@opendsr-service/workspaces';
import { World } from '../testing/world';
import { participantsWaive } from './participants-waive.command';
import { participantsAdd, participantsList, participantsRemove } from './participants.command';
import { workspacesAfterErasure, workspacesDeviceMatching } from '../workspaces/workspace-settings.command';

const commands = [
  participantsAdd,
  participantsList,
  participantsRemove,
  participantsWaive,
  workspacesAfterErasure,
  workspacesDeviceMatching,
];
const SRID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const ADD = 'participants add --workspace sandbox --name crm --domain crm.example.com --types erasure,access';
const WAIVE = `participants waive --workspace sandbox --request ${SRID.toUpperCase()} --name crm --by ops --reason gone`;

let world: World;
const say = (line: string) => world.say(commands, line);
const secretIn = (lines: readonly string[]) => /dsrp_\S+/.exec(lines.join('\n'))?.[0];

describe('beside a running service, on its embedded stores', () => {
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  it('dsr participants add registers, and shows the secret once with the words that it is shown once', async () => {
    const { code, out, err } = await say(`${ADD} --identity-types email,controller_customer_id`);
    expect([code, err]).toEqual([0, []]);
    const secret = secretIn(out) ?? '';
    expect(out.join('\n')).toContain('shown once');
    expect(out.at(-1)).toContain('No outside participant can read the event log of embedded stores');
    expect(await world.services.participants.authenticate('sandbox', 'crm', secret)).toMatchObject({
      types: ['erasure', 'access'],
      identityTypes: ['email', 'controller_customer_id'],
    });
    expect(await world.services.participants.participantsOf('sandbox', 'erasure')).toContainEqual({
      name: 'crm',
      domain: 'crm.example.com',
    });
    const listed = await say('participants list --workspace sandbox');
    expect(listed).toEqual({
      code: 0,
      out: ['crm  crm.example.com  erasure,access  email,controller_customer_id'],
      err: [],
    });
  });

  it('dsr participants add prints one JSON document with the secret where a machine asks for it', async () => {
    const { code, out, err } = await say(`${ADD} --identity-types email --json`);
    expect([code, out.length, err]).toEqual([0, 1, []]);
    const { secret, ...added } = JSON.parse(out[0] ?? '') as { secret: string };
    expect(added).toEqual({
      ...{ workspace: 'sandbox', name: 'crm', domain: 'crm.example.com' },
      ...{ types: ['erasure', 'access'], identityTypes: ['email'] },
    });
    expect(await world.services.participants.authenticate('sandbox', 'crm', secret)).toMatchObject({ name: 'crm' });
  });

  it('dsr participants add refuses a name that is taken, or that is one of ours, and a workspace that does not exist', async () => {
    await say(ADD);
    expect(await say(ADD)).toMatchObject({ code: 1, out: [], err: [expect.stringContaining('crm')] });
    expect(await say(ADD.replace('crm', 'ingestion'))).toMatchObject({
      code: 2,
      err: expect.arrayContaining([expect.stringContaining('our own')]) as unknown,
    });
    expect(await say(ADD.replace('sandbox', 'elsewhere'))).toMatchObject({
      code: 1,
      err: ['there is no workspace elsewhere'],
    });
  });

  it('dsr participants list says where there are none, and where there is no workspace', async () => {
    expect(await say('participants list --workspace sandbox')).toEqual({
      code: 0,
      out: ['sandbox has no outside participants'],
      err: [],
    });
    expect(await say('participants list --workspace elsewhere')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
  });

  it('dsr participants remove ends the secret, and says what becomes of requests that wait and how to waive', async () => {
    const secret = secretIn((await say(ADD)).out) ?? '';
    const { code, out } = await say('participants remove --workspace sandbox --name crm');
    expect(code).toBe(0);
    expect(out.join('\n')).toMatch(
      /still wait.+\n.+dsr participants waive --workspace sandbox --request ID --name crm/,
    );
    expect(await world.services.participants.authenticate('sandbox', 'crm', secret)).toBeUndefined();
    expect(await say('participants remove --workspace sandbox --name crm')).toEqual({
      code: 1,
      out: [],
      err: ['sandbox has no participant crm'],
    });
  });

  it('dsr participants waive notes and reports nothing by another master key, whose report no service would take', async () => {
    await say(WAIVE);
    const held = async () => [await world.audit(), await world.reports()];
    const before = await held();
    const env = { DATA_DIR: world.dataDir, MASTER_KEY_FILE: join(world.dataDir, 'other.key') };
    await ensureMasterKey(env.MASTER_KEY_FILE);
    expect(await world.say(commands, WAIVE, env)).toMatchObject({
      ...{ code: 1, out: [], err: [expect.stringContaining('are wrapped by master key')] },
    });
    expect(await held()).toEqual(before);
  });

  it('dsr participants waive reports skipped under the operators’ key, and notes who answers for it', async () => {
    expect(await say(WAIVE)).toMatchObject({ code: 0, err: [] });
    const [record, ...others] = await world.reports();
    expect(others).toEqual([]);
    expect(record?.key).toBe(`sandbox:${SRID}`);
    expect(record && participantReports.decode(record)).toMatchObject({
      participant: 'crm',
      status: 'skipped',
      statusMessage: 'gone',
      waivedBy: 'ops',
    });
    expect(record && isRecordSignedBy(record, waiverKey(world.seal))).toBe(true);
    expect(await world.audit()).toEqual([
      {
        _id: expect.any(String) as string,
        ws: 'sandbox',
        srid: SRID,
        participant: 'crm',
        action: 'participant-waived',
        because: 'gone',
        by: 'ops',
        at: expect.any(Date) as Date,
      },
    ]);
  });

  it('dsr participants waive refuses while the request service may not know the start, and notes nothing', async () => {
    const requests = (await world.database('gateway')).collection<{ _id: string; ws: string; outbox: object[] }>(
      'requests',
    );
    const _id = `sandbox:${SRID}`;
    await requests.insertOne({ _id, ws: 'sandbox', outbox: [{ type: 'StartRequest' }] });
    expect(await say(WAIVE)).toEqual({
      code: 1,
      out: [],
      err: ['the event log has not recorded the start of the request yet: try again later'],
    });
    expect([await world.reports(), await world.audit()]).toEqual([[], []]);
    await requests.updateOne({ _id, ws: 'sandbox' }, { $set: { outbox: [] } });
    expect(await say(WAIVE)).toMatchObject({ code: 0, err: [] });
  });

  it('dsr workspaces after-erasure sets the policy', async () => {
    expect(await say('workspaces after-erasure --workspace sandbox --policy drop')).toMatchObject({ code: 0, err: [] });
    expect((await world.services.workspaces.get('sandbox'))?.afterErasure).toBe('drop');
    expect(await say('workspaces after-erasure --workspace elsewhere --policy drop')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
  });

  it('dsr workspaces device-matching sets which profiles devices reach', async () => {
    expect(await say('workspaces device-matching --workspace sandbox --profiles all')).toEqual({
      code: 0,
      out: [
        'sandbox: the devices of a request match all profiles that have the device; every replica knows it within 30 s',
      ],
      err: [],
    });
    expect((await world.services.workspaces.get('sandbox'))?.deviceMatching).toBe('all');
    expect(await say('workspaces device-matching --workspace elsewhere --profiles all')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
    expect((await say('workspaces device-matching --workspace sandbox --profiles some')).code).toBe(2);
  });

  it('dsr participants waive asks for a role, not a person, because the name is on a public topic', async () => {
    expect((await say('participants waive --help')).out.join('\n')).toMatch(
      /--by ROLE[^]*a role or a team, not a person/,
    );
  });

  it('dsr participants waive takes texts as long as a report carries them', async () => {
    expect((await say(WAIVE.replace('gone', 'x'.repeat(256)).replace('ops', 'y'.repeat(256)))).code).toBe(0);
    const [record] = await world.reports();
    expect(record && participantReports.decode(record)).toMatchObject({
      statusMessage: 'x'.repeat(256),
      waivedBy: 'y'.repeat(256),
    });
  });

  it.each([
    [ADD.replace('crm ', 'CRM '), '--name'],
    [ADD.replace('access', 'deletion'), '--types'],
    [ADD.replace('crm.example.com', 'https://crm'), '--domain'],
    [`${ADD} --identity-types phone`, '--identity-types'],
    [WAIVE.replace('4370', 'none'), '--request'],
    [WAIVE.replace(' --by ops', ''), '--by'],
    [WAIVE.replace('crm', 'ingestion'), '--name: must be an outside participant'],
    [WAIVE.replace('crm', 'results'), '--name: must be an outside participant'],
    [WAIVE.replace('--by ops', '--by '), '--by is empty'],
    [WAIVE.replace('gone', ''), '--reason is empty'],
    [WAIVE.replace('ops', 'x'.repeat(257)), '--by: must be at most 256 characters'],
    [WAIVE.replace('gone', 'x'.repeat(257)), '--reason: must be at most 256 characters'],
    ['workspaces after-erasure --workspace sandbox --policy forget', '--policy'],
  ])('a command line that cannot be meant ends with 2: dsr %s', async (line, option) => {
    expect(await say(line)).toMatchObject({
      code: 2,
      out: [],
      err: [expect.stringContaining(option), expect.stringContaining('usage: dsr ')],
    });
  });

  it('a folder that no service has used is refused, and nothing is made in it', async () => {
    expect(await world.say(commands, ADD, { DATA_DIR: '/nonexistent/data' })).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining('there are no stores of the service in /nonexistent/data')],
    });
  });

  it('on real servers the master key has no place of its own: its file must be named', async () => {
    const env = { KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URI: 'mongodb://127.0.0.1:1' };
    expect(await world.say(commands, ADD, env)).toEqual({ code: 1, out: [], err: ['MASTER_KEY_FILE: must be set'] });
  });
});

it('a waiver that does not reach the log is noted all the same: none takes effect that nobody answers for', async () => {
  world = await World.open({ topics: [] });
  expect((await say(WAIVE)).code).toBe(1);
  expect(await world.audit()).toHaveLength(1);
  await world.close();
});

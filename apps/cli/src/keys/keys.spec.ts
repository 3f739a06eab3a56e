import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { World } from '../testing/world';
import { workspacesClass } from '../workspaces/workspace-settings.command';
import { workspacesCreate, workspacesList } from '../workspaces/workspaces.command';
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys.command';

const commands = [workspacesCreate, workspacesList, workspacesClass, keysCreate, keysRotate, keysRevoke, keysList];
const CREATE = 'workspaces create --workspace acme --name Acme';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';

let world: World;
const say = (line: string) => world.say(commands, line);
/** What stands alone on the line with this label. */
const cut = (lines: readonly string[], label: string) =>
  lines.find((line) => line.startsWith(`${label}  `))?.slice(label.length + 2) ?? '';

async function keyOf(line: string): Promise<{ key: string; secret: string }> {
  const { out } = await say(line);
  return { key: cut(out, 'key'), secret: cut(out, 'secret') };
}
const admitted = ({ key, secret }: { key: string; secret: string }, scope: 'dsr' | 'ingest' = 'dsr') =>
  world.services.workspaces.authenticate(key, secret, scope);

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

describe('dsr workspaces, beside a running service', () => {
  it('create makes a workspace with a controller’s id that is given or fresh, and says what is missing still', async () => {
    const { code, out, err } = await say(CREATE);
    expect([code, err]).toEqual([0, []]);
    expect(cut(out, 'controller-id')).toMatch(UUID);
    expect(out.join('\n')).toContain('dsr keys create --workspace acme');
    await say('workspaces create --workspace other --name Other --controller-id 1402');
    expect(await world.services.workspaces.get('other')).toMatchObject({ name: 'Other', controllerId: '1402' });
    expect((await world.services.workspaces.get('acme'))?.controllerId).toBe(cut(out, 'controller-id'));
  });

  it('create prints one JSON document where a machine asks for it', async () => {
    const { out } = await say(`${CREATE} --json`);
    expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
      { workspace: 'acme', name: 'Acme', controllerId: expect.stringMatching(UUID) as string, class: 'standard' },
    ]);
  });

  it('create refuses an id or a name that is taken', async () => {
    await say(CREATE);
    expect(await say(CREATE.replace('Acme', 'Other'))).toEqual({
      code: 1,
      out: [],
      err: ['there is a workspace acme already'],
    });
    expect(await say(CREATE.replace('acme', 'other'))).toEqual({
      code: 1,
      out: [],
      err: ['the workspace acme has the name Acme already'],
    });
  });

  it('create makes nothing in a folder without stores, also where the master key is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const env = { DATA_DIR: folder, MASTER_KEY_FILE: join(world.dataDir, 'keys', 'master.key') };
    const { code, out, err } = await world.say(commands, CREATE, env);
    expect([code, out, err, readdirSync(folder)]).toEqual([
      ...[1, [], [expect.stringContaining(`there are no stores of the service in ${folder}: set DATA_DIR`)], []],
    ]);
    rmSync(folder, { recursive: true });
  });

  it('list names them all, by id', async () => {
    await say(`${CREATE} --controller-id 7`);
    const { code, out } = await say('workspaces list');
    expect([code, out.length]).toEqual([0, 2]);
    expect(out[0]).toMatch(new RegExp(`^acme {2}7 {2}${TIME} {2}standard {2}Acme$`));
    expect(out[1]).toMatch(/^sandbox {2}1402 {2}\S+ {2}sandbox {2}Sandbox$/);
  });
});

describe('the class of a workspace', () => {
  const classOf = async (ws: string) => (await world.services.workspaces.get(ws))?.class;

  it('is what create was given, and what class says later', async () => {
    expect(await say(`${CREATE} --class gold`)).toMatchObject({ code: 0 });
    expect(await classOf('acme')).toBe('gold');
    expect(await say('workspaces class --workspace acme --class silver')).toEqual({
      code: 0,
      out: ['acme: its class is silver; every replica knows it within 30 s'],
      err: [],
    });
    expect((await say('workspaces list')).out[0]).toMatch(/ {2}silver {2}Acme$/);
    expect(await say('workspaces class --workspace acme --class bronze --json')).toEqual({
      code: 0,
      out: ['{"workspace":"acme","class":"bronze"}'],
      err: [],
    });
    expect((await say('workspaces list')).out[0]).toMatch(/ {2}bronze {2}Acme$/);
    expect(await say('workspaces class --workspace elsewhere --class silver')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
  });

  it('is one word that means nothing else', async () => {
    await say(CREATE);
    for (const kind of ['Gold', 'none', 'other', 'x'.repeat(21)]) {
      const answers = [
        await say(`workspaces class --workspace acme --class ${kind}`),
        await say(`workspaces create --workspace b --name B --class ${kind}`),
      ];
      for (const { code, err } of answers)
        expect([code, err.join('')]).toEqual([2, expect.stringContaining('--class: must be')]);
    }
    expect(await classOf('acme')).toBe('standard');
  });
});

describe('dsr keys, beside a running service', () => {
  beforeEach(async () => {
    await say(CREATE);
  });

  it('create makes a key in effect at once, by default for both scopes, and shows its secret once on its own line', async () => {
    const { code, out, err } = await say('keys create --workspace acme');
    expect([code, err]).toEqual([0, []]);
    expect(out.filter((line) => line.includes('dsrs_'))).toEqual([
      expect.stringMatching(/^secret {2}dsrs_[A-Za-z0-9_-]{43}$/),
    ]);
    expect(out.join('\n')).toMatch(/in effect at once, and does not expire[^]*shown once/);
    const both = { key: cut(out, 'key'), secret: cut(out, 'secret') };
    expect([await admitted(both), await admitted(both, 'ingest')]).toEqual([
      expect.objectContaining({ ws: 'acme' }),
      expect.objectContaining({ ws: 'acme' }),
    ]);
    const narrow = await keyOf('keys create --workspace acme --scopes ingest --expires-in 90d');
    expect([await admitted(narrow), await admitted(narrow, 'ingest')]).toEqual([
      'forbidden',
      expect.objectContaining({ ws: 'acme' }),
    ]);
  });

  it('rotate makes another, both work, and says when the old one expires', async () => {
    const old = await keyOf('keys create --workspace acme --scopes dsr');
    const { code, out } = await say(`keys rotate --key ${old.key} --overlap 15min --expires-in 90d`);
    expect([code, out[0]]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^rotated ${old.key} of acme: it expires at ${TIME}$`)),
    ]);
    expect(out[1]).toMatch(new RegExp(`for dsr, is in effect at once, and expires at ${TIME}$`));
    const made = { key: cut(out, 'key'), secret: cut(out, 'secret') };
    for (const either of [old, made]) expect(await admitted(either)).toMatchObject({ ws: 'acme' });
    expect(await admitted(made, 'ingest')).toBe('forbidden');
  });

  it('create and rotate print one JSON document with the secret where a machine asks for it', async () => {
    const document = async (line: string) => {
      const { code, out, err } = await say(`${line} --json`);
      expect([code, out.length, err]).toEqual([0, 1, []]);
      return JSON.parse(out[0] ?? '') as { key: string; secret: string };
    };
    const old = await document('keys create --workspace acme --scopes dsr');
    expect(old).toEqual({ workspace: 'acme', key: old.key, secret: old.secret, scopes: ['dsr'] });
    const made = await document(`keys rotate --key ${old.key} --expires-in 90d`);
    const time = expect.stringMatching(new RegExp(`^${TIME}$`)) as string;
    expect(made).toEqual({
      ...{ workspace: 'acme', key: made.key, secret: made.secret, scopes: ['dsr'], expiresAt: time },
      old: { key: old.key, expiresAt: time },
    });
    for (const either of [old, made]) expect(await admitted(either)).toMatchObject({ ws: 'acme' });
  });

  it('rotate leaves the old key a day where no overlap is named', async () => {
    const old = await keyOf('keys create --workspace acme');
    await say(`keys rotate --key ${old.key}`);
    const [first, second] = await world.services.workspaces.credentials.keys('acme');
    expect(first?.key).toBe(old.key);
    expect(second?.expiresAt).toBeUndefined();
    const leftMs = Number(first?.expiresAt) - Number(second?.createdAt);
    expect(Math.round(leftMs / 3_600_000)).toBe(24);
  });

  it('revoke ends a key and says by when; the second time, too', async () => {
    const made = await keyOf('keys create --workspace acme');
    const revoked = {
      code: 0,
      out: [`revoked ${made.key}: every service refuses it within 30 seconds`],
      err: [],
    };
    expect(await say(`keys revoke --key ${made.key}`)).toEqual(revoked);
    expect(await say(`keys revoke --key ${made.key}`)).toEqual(revoked);
    expect(await admitted(made)).toBe('unknown');
    expect(await say(`keys rotate --key ${made.key}`)).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining('is revoked')],
    });
  });

  it('list shows key, scopes, state and times, and neither secret nor hash', async () => {
    const [short, lost] = [
      await keyOf('keys create --workspace acme --scopes ingest,dsr --expires-in 90d'),
      await keyOf('keys create --workspace acme --scopes dsr'),
    ];
    await say(`keys revoke --key ${lost.key}`);
    const { code, out } = await say('keys list --workspace acme');
    expect([code, out.length]).toEqual([0, 2]);
    expect(out[0]).toMatch(new RegExp(`^${short.key}  ingest,dsr  active  ${TIME}  ${TIME}  -$`));
    expect(out[1]).toMatch(new RegExp(`^${lost.key}  dsr  revoked  ${TIME}  -  ${TIME}$`));
    expect(await say('keys list --workspace elsewhere')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
    await say('workspaces create --workspace empty --name Empty');
    expect(await say('keys list --workspace empty')).toEqual({ code: 0, out: ['empty has no keys'], err: [] });
  });

  it('say what there is not', async () => {
    expect(await say('keys create --workspace elsewhere')).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
    for (const verb of ['rotate', 'revoke'])
      expect(await say(`keys ${verb} --key dsrk_none`)).toEqual({
        code: 1,
        out: [],
        err: ['there is no key dsrk_none'],
      });
  });

  it('do not repeat a secret that is given in the place of a key', async () => {
    const { secret } = await keyOf('keys create --workspace acme');
    const { code, out, err } = await say(`keys revoke --key ${secret}`);
    expect([code, out]).toEqual([2, []]);
    expect(err.join('\n')).not.toContain(secret.slice(5));
  });
});

it.each([
  [CREATE.replace('acme', 'a:b'), '--workspace'],
  [CREATE.replace('acme', 'Acme'), '--workspace'],
  [CREATE.replace('Acme', 'x'.repeat(129)), '--name'],
  [`${CREATE} --controller-id ${'x'.repeat(129)}`, '--controller-id'],
  ['keys create', '--workspace is missing'],
  ['keys create --workspace acme --scopes all', '--scopes'],
  ['keys create --workspace acme --expires-in soon', '--expires-in: must be a duration'],
  ['keys create --workspace acme --expires-in 29s', '--expires-in: must be from 30000 ms to 3650 days'],
  ['keys create --workspace acme --expires-in 3651d', '--expires-in: must be from 30000 ms to 3650 days'],
  ['keys rotate --key dsrk_a --overlap 29s', '--overlap: must be from 30000 ms to 3650 days'],
  ['keys revoke --key a:b', '--key'],
])('an invalid command line ends with 2: dsr %s', async (line, option) => {
  expect(await say(line)).toMatchObject({
    code: 2,
    out: [],
    err: [expect.stringContaining(option), expect.stringContaining('usage: dsr ')],
  });
});

import { keysCreate, keysRevoke, keysRotate } from '../keys/keys.command';
import { parkedRedrive } from '../parked/parked-redrive.command';
import { World } from '../testing/world';
import { workspacesCalendar } from '../workspaces/workspace-calendar.command';
import {
  workspacesAfterErasure,
  workspacesClass,
  workspacesDeviceMatching,
} from '../workspaces/workspace-settings.command';
import { workspacesCreate } from '../workspaces/workspaces.command';
import { participantsAdd, participantsRemove } from './participants.command';

const commands = [
  ...[keysCreate, keysRotate, keysRevoke, parkedRedrive, participantsAdd, participantsRemove],
  ...[workspacesCreate, workspacesCalendar, workspacesClass, workspacesAfterErasure, workspacesDeviceMatching],
];

let world: World;
const say = (line: string) => world.say(commands, line);
const entries = async () =>
  (await (await world.database('gateway')).collection('audit').find({}).sort({ at: 1 }).toArray()).map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => name !== '_id' && name !== 'at')),
  );

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const PARTICIPANT = 'participants add --workspace sandbox --name crm --domain crm.example.com --types erasure';

it.each([
  ['workspaces create --workspace acme --name Acme', { ws: 'acme', action: 'workspace-create-asked' }],
  ['workspaces calendar --workspace sandbox --gdpr-days 20', { action: 'workspace-calendar-asked' }],
  ['workspaces class --workspace sandbox --class trial', { action: 'workspace-class-asked' }],
  ['workspaces after-erasure --workspace sandbox --policy drop', { action: 'workspace-after-erasure-asked' }],
  ['workspaces device-matching --workspace sandbox --profiles all', { action: 'workspace-device-matching-asked' }],
  ['keys create --workspace sandbox', { action: 'api-key-create-asked' }],
  [PARTICIPANT, { action: 'participant-add-asked', participant: 'crm' }],
  ['parked redrive --all', { ws: '', action: 'parked-redrive-asked' }],
  ['parked redrive --service gateway', { ws: '', action: 'parked-redrive-asked', service: 'gateway' }],
])('dsr %s is in the audit trail, with who answers for it and why', async (line, what) => {
  expect(await say(`${line} --by on-call --because drill`)).toMatchObject({ code: 0, err: [] });
  expect(await entries()).toEqual([{ ws: 'sandbox', srid: '', by: 'on-call', because: 'drill', ...what }]);
});

it('a change that names nobody is noted as one of the tool', async () => {
  await say(PARTICIPANT);
  await say('participants remove --workspace sandbox --name crm');
  const noted = { ws: 'sandbox', srid: '', participant: 'crm', by: 'dsr' };
  expect(await entries()).toEqual([
    { ...noted, action: 'participant-add-asked' },
    { ...noted, action: 'participant-removal-asked' },
  ]);
});

it('a rotation and a revocation name the key and its workspace, never a secret', async () => {
  const { out } = await say('keys create --workspace sandbox');
  const [key, secret] = ['key', 'secret'].map((label) => new RegExp(`^${label}  (.+)$`, 'm').exec(out.join('\n'))?.[1]);
  await say(`keys rotate --key ${key}`);
  await say(`keys revoke --key ${key}`);
  const found = await entries();
  expect(found.slice(1)).toEqual([
    { ws: 'sandbox', srid: '', key, by: 'dsr', action: 'api-key-rotation-asked' },
    { ws: 'sandbox', srid: '', key, by: 'dsr', action: 'api-key-revocation-asked' },
  ]);
  expect(secret).toBeDefined();
  expect(JSON.stringify(found)).not.toContain(secret);
});

it('what only shows, or names a workspace or a key that does not exist, is not noted', async () => {
  await say('workspaces calendar --workspace sandbox');
  const refused = [
    'keys revoke --key 00000000-0000-4000-8000-000000000000',
    'keys create --workspace elsewhere',
    'participants remove --workspace elsewhere --name crm',
    'workspaces class --workspace elsewhere --class trial',
    'workspaces calendar --workspace elsewhere --gdpr-days 20',
  ];
  for (const line of refused) expect([line, (await say(line)).code]).toEqual([line, 1]);
  expect(await entries()).toEqual([]);
});

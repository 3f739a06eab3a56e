import type { Command } from '@opendsr-service/contracts';
import { World } from '../testing/world';

const CRM = { name: 'crm', domain: 'crm.example.com' };
const shown = [{ ...CRM, status: 'pending', statusMessage: null }];

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const workspaces = async () =>
  (await world.parts.storage.database('workspaces')).collection<{ _id: string }>('workspaces');

/** Starts a request, and answers the command that says so. */
async function start(): Promise<{ readonly srid: string; readonly command: Command | undefined }> {
  const { srid } = await world.admit();
  world.clock.advance(world.waitMs);
  expect(await world.start.runOnce()).toBe(1);
  const sent = await world.commands(2);
  return { srid, command: sent.find(({ type }) => type === 'StartRequest') };
}

it('writes the outside participants with the start, so every status in_progress shows their shares', async () => {
  await (await workspaces()).insertOne({ _id: world.ws });
  await world.parts.participants.add({ ws: world.ws, ...CRM, types: ['access'] });
  await world.parts.participants.add({ ws: world.ws, name: 'mail', domain: 'mail.example.com', types: ['erasure'] });
  const { srid, command } = await start();
  expect(await world.find({ srid })).toMatchObject({ status: 'in_progress', v: 0, extensions: shown });
  expect(command).toMatchObject({ participants: [{ name: 'results' }, CRM] });
});

it('is told of each new request in how many milliseconds it starts', async () => {
  const heard: number[] = [];
  world.starts.subscribe((inMs) => heard.push(inMs));
  const { srid } = await world.admit();
  expect(heard).toEqual([world.waitMs]);
  await world.store.cancel(world.ws, srid, world.clock.now());
  expect(heard).toHaveLength(1);
});

it('writes no extensions if no outside participant takes part', async () => {
  await (await workspaces()).insertOne({ _id: world.ws });
  const { srid, command } = await start();
  expect(await world.find({ srid })).not.toHaveProperty('extensions');
  expect(command).toMatchObject({ participants: [{ name: 'results' }] });
});

it('starts a request of a missing workspace, and leaves its participants to the request service', async () => {
  const { srid, command } = await start();
  expect(await world.find({ srid })).toMatchObject({ status: 'in_progress' });
  expect(command).not.toHaveProperty('participants');
});

import { createSecretKey, randomBytes } from 'node:crypto';
import { keyTombstones, tombstoneId, TOPICS } from '@opendsr-service/contracts';
import { foldTombstones } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { World } from '../testing/world';

type Copy = Map<string, object[]>;

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

async function copyOf(connection: Connection): Promise<Copy> {
  const names = (await connection.listCollections()).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await connection.collection(name).find({}).toArray()] as const)),
  );
}

/** Puts a database back to what it was, positions included. */
async function putBack(connection: Connection, copy: Copy): Promise<void> {
  for (const name of new Set([...copy.keys(), ...(await copyOf(connection)).keys()])) {
    await connection.collection(name).deleteMany({});
    const documents = copy.get(name) ?? [];
    if (documents.length > 0) await connection.collection(name).insertMany(documents);
  }
}

const boot = () =>
  foldTombstones(world.parts.log, { connection: world.parts.connection, key: world.vault.tombstoneKey }, (tombstones) =>
    world.keys.applyTombstones(tombstones),
  );

it('removes the sealed fields of destroyed keys from a restored, older copy, and nothing else', async () => {
  const { connection } = world.parts;
  const [destroyed, kept] = [
    await world.admit({
      identities: [{ type: 'email', value: 'planted@example.com' }],
      callbackUrls: ['https://a.example.com/planted'],
    }),
    await world.admit(),
  ];
  await boot();
  const copy = await copyOf(connection);
  await world.vault.destroy(world.ws, destroyed.kid, 'request');
  await boot();
  expect(await world.find(destroyed)).not.toHaveProperty('sealed');

  await putBack(connection, copy);
  expect(await world.find(destroyed)).toEqual(destroyed);
  await boot();
  const gone = await world.find(destroyed);
  expect(gone).toMatchObject({ keyGoneAt: world.clock.now(), outbox: [] });
  for (const field of ['sealed', 'startAt', 'outboxAt']) expect(gone).not.toHaveProperty(field);
  expect(JSON.stringify([...(await copyOf(connection)).values()])).not.toContain(destroyed.sealed?.identities);
  expect(await world.find(kept)).toEqual(kept);

  world.clock.advance(world.waitMs);
  expect(await world.start.runOnce()).toBe(1);
  expect(await world.find(kept)).toMatchObject({ status: 'in_progress' });
  expect(await world.find(destroyed)).toEqual(gone);
});

it('does not begin to serve while the event log is away: the boot ends with its error', async () => {
  await world.parts.log.close();
  await expect(boot()).rejects.toThrow();
});

it('starts a waiting request in spite of a tombstone of its key that the installation did not sign', async () => {
  const waiting = await world.admit();
  const { ws, kid } = waiting;
  const at = world.clock.now().toISOString();
  const theirs = keyTombstones(createSecretKey(randomBytes(32)));
  await world.parts.log.publisher.publish(TOPICS.keyTombstones.name, [
    theirs.encode({ type: 'KeyDestroyed', id: tombstoneId({ ws, kid }), ws, kid, scope: 'request', at }),
  ]);
  expect(await boot()).toBe(1);
  expect(await world.find(waiting)).toEqual(waiting);
  world.clock.advance(world.waitMs);
  expect(await world.start.runOnce()).toBe(1);
});

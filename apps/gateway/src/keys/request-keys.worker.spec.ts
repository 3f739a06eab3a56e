import { keyTombstones, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { Faults } from '@opendsr-service/storage/testing';
import { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../admission/request.document';
import { World } from '../testing/world';
import { RequestKeysWorker } from './request-keys.worker';
import { RequestKeysStore } from './request-keys.store';

const LEASE_MS = 60_000;

let world: World;
let request: RequestDocument;
beforeEach(async () => {
  world = await World.open();
  request = await world.admit({ identities: [{ type: 'email', value: 'planted@example.com' }] });
});
afterEach(() => world.close());

/** Cancels the request, so that its key is due after it was kept long enough. */
async function end(): Promise<void> {
  await world.store.cancel(world.ws, request.srid, world.clock.now());
  const keyDueAt = new Date(world.clock.now().getTime() + world.keepMs);
  for (const v of [1, 2])
    await world.store.acknowledge({ ws: world.ws, srid: request.srid, v, commandSeq: v, ...(v === 2 && { keyDueAt }) });
  world.clock.advance(world.keepMs);
}
const hasKey = async () => (await world.vault.key(world.ws, request.kid)) !== undefined;
const tombstones = async (count: number) =>
  (await world.records(TOPICS.keyTombstones.name, count)).map((record) =>
    keyTombstones(world.vault.tombstoneKey).decode(record),
  );

it('destroys the key of a request that ended long enough ago, and removes its sealed fields', async () => {
  await end();
  expect(await world.keyWorker.runOnce()).toBe(1);
  expect(await tombstones(1)).toMatchObject([{ ws: world.ws, kid: request.kid, scope: 'request' }]);
  expect(await hasKey()).toBe(false);
  const gone = await world.find(request);
  expect(gone).toMatchObject({ status: 'cancelled', keyGoneAt: world.clock.now() });
  expect(gone).not.toHaveProperty('sealed');
  expect(await world.keyWorker.runOnce()).toBe(0);
});

it('keeps a key until its due time', async () => {
  await end();
  world.clock.advance(-1);
  expect(await world.keyWorker.runOnce()).toBe(0);
  expect(await hasKey()).toBe(true);
});

it('keeps a key past its due time while a command waits in the outbox or a destination is open', async () => {
  await end();
  const requests = world.parts.connection.collection('requests');
  for (const held of [{ outbox: [{ seq: 2 }] }, { openDestinations: ['a'], outbox: [] }]) {
    await requests.updateOne({ ws: world.ws }, { $set: held });
    expect(await world.keyWorker.runOnce()).toBe(0);
    world.clock.advance(LEASE_MS);
  }
  expect(await hasKey()).toBe(true);
  expect(await world.find(request)).toHaveProperty('sealed');
});

it('waits while the event log is away, and destroys the key once it is back', async () => {
  await end();
  world.publisher.away = true;
  expect(await world.keyWorker.runOnce()).toBe(0);
  world.publisher.away = false;
  world.publisher.slow = true;
  expect(await world.keyWorker.runOnce()).toBe(0);
  expect(await hasKey()).toBe(true);
  expect(await world.find(request)).toHaveProperty('sealed');
  world.publisher.slow = false;
  world.clock.advance(LEASE_MS);
  expect(await world.keyWorker.runOnce()).toBe(1);
  expect(await hasKey()).toBe(false);
});

it('reaches the same end after a crash at any step, and never destroys a key without a tombstone', async () => {
  await end();
  const { connection, storage, log, masterKey } = world.parts;
  const keys = await storage.database('keys');
  const stored = () => keys.collection<{ _id: string }>('dataKeys').countDocuments({ _id: request.kid });
  const published: string[] = [];
  let crashes = 0;
  for (let write = 1; ; write += 1) {
    const faults = new Faults();
    const tombstonesLog: Publisher = {
      available: true,
      publish: async (topic, records) => {
        faults.write();
        await log.publisher.publish(topic, records);
        published.push(...records.map(({ key }) => key));
      },
    };
    const vault = new Vault(faults.connection(keys), masterKey, () => 0, { tombstones: tombstonesLog });
    const store = new RequestKeysStore(faults.connection(connection), world.keepMs);
    faults.dieAt(write);
    const dying = new RequestKeysWorker(store, vault, world.publisher, world.clock).runOnce();
    const isOver = (await dying.catch((error: Error) => error.message)) !== 'planted crash';
    expect({ write, isSafe: (await stored()) === 1 || published.length > 0 }).toEqual({ write, isSafe: true });
    if (isOver) break;
    crashes += 1;
    expect(await world.find(request)).toHaveProperty('sealed');
    world.clock.advance(LEASE_MS);
  }
  // The claim, the tombstone, the key; the end of the key, the persons, the sealed fields.
  expect(crashes).toBe(6);
  expect(await stored()).toBe(0);
  expect((await tombstones(1))[0]).toMatchObject({ kid: request.kid });
  expect(await world.find(request)).not.toHaveProperty('sealed');
});

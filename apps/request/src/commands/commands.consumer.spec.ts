import { commands, messageId, TOPICS, type Command } from '@opendsr-service/contracts';
import { recordOf, World } from '../testing/world';
import { CommandsConsumer } from './commands.consumer';

const ws = 'acme';
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const at = '2026-11-21T09:00:00.000Z';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const submit: Command = {
  type: 'SubmitRequest', id: messageId(srid, 1), ws, srid, at, seq: 1,
  request: { controllerId: '1', apiVersion: '2.0', type: 'erasure', submittedTime: at, receivedAt: at, startAt: at, expectedAt: at, groupId: null, fingerprint: 'f', kid: 'k', identities: sealed, callbacks: [] },
};
const replay: Command = { type: 'ReplayCallback', id: messageId(srid, 'replay'), ws, srid, at, lane: 'lane-1', delivery: messageId(srid, 'delivery'), version: 1 };

let world: World;
beforeAll(async () => { world = await World.open(); });
afterAll(() => world.close());

it('leaves the replay of a callback to the callback-dispatcher, before and after the request is known, and goes on behind it', async () => {
  const consumer = new CommandsConsumer(world.replica(), world.participants);
  const records = [replay, submit, replay].map((command) => ({ ...recordOf(commands.encode(command)), topic: TOPICS.commands.name }));
  expect(await consumer.handle(records)).toEqual(['skip', 'done', 'skip']);
  expect((await world.events(1, srid)).map(({ type, version }) => [type, version])).toEqual([['RequestReceived', 1]]);
  expect(await world.store.load(ws, srid)).toMatchObject({ v: 1, commandSeq: 1 });
});

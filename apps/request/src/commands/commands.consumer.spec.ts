import { randomUUID } from 'node:crypto';
import { commands, messageId, TOPICS, type Command } from '@opendsr-service/contracts';
import { recordOf, World } from '../testing/world';
import { CommandsConsumer } from './commands.consumer';

const ws = 'acme';
const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const at = '2026-11-21T09:00:00.000Z';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const submit: Command = {
  type: 'SubmitRequest',
  id: messageId(srid, 1),
  ws,
  srid,
  at,
  seq: 1,
  request: {
    controllerId: '1',
    apiVersion: '2.0',
    type: 'erasure',
    submittedTime: at,
    receivedAt: at,
    startAt: at,
    expectedAt: at,
    groupId: null,
    fingerprint: 'f',
    kid: 'k',
    identities: sealed,
    callbacks: [],
  },
};
const replay: Command = {
  type: 'ReplayCallback',
  id: messageId(srid, 'replay'),
  ws,
  srid,
  at,
  destination: 'destination-1',
  delivery: messageId(srid, 'delivery'),
  version: 1,
};

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

it('starts a request with the participants of its command, or else with the registered ones', async () => {
  await world.register('named', 'crm');
  const consumer = new CommandsConsumer(world.replica(), world.participants);
  const happen = async (more: object) => {
    const of = { ...submit, ws: 'named', srid: randomUUID() };
    const startIt: Command = {
      type: 'StartRequest',
      id: messageId(of.srid, 2),
      ws: of.ws,
      srid: of.srid,
      at,
      seq: 2,
      work: { type: 'erasure', kid: 'k', identities: sealed },
      ...more,
    };
    await consumer.handle(
      [of, startIt].map((command) => ({ ...recordOf(commands.encode(command)), topic: TOPICS.commands.name })),
    );
    return (await world.events(2, of.srid))[1];
  };
  expect(
    await happen({ participants: [{ name: 'ingestion' }, { name: 'mail', domain: 'mail.example' }] }),
  ).toMatchObject({
    type: 'RequestStarted',
    participants: ['ingestion', 'mail'],
    extensions: [{ domain: 'mail.example', name: 'mail', status: 'pending', statusMessage: null }],
  });
  expect(await happen({})).toMatchObject({
    participants: ['ingestion', 'results', 'crm'],
    extensions: [{ name: 'crm' }],
  });
});

it('parks a command whose event would not fit a record of the log, and writes nothing', async () => {
  const consumer = new CommandsConsumer(world.replica(), world.participants);
  const identities = 'c2Vh'.repeat(235_000);
  const tooLarge = { ...submit, srid: randomUUID(), request: { ...submit.request, identities } };
  const record = { ...recordOf(commands.encode(tooLarge)), topic: TOPICS.commands.name };
  expect(await consumer.handle([record])).toEqual([{ park: 'too-large' }]);
  expect(await world.store.load(ws, tooLarge.srid)).toBeNull();
});

it('skips the replay of a callback, before and after the request is known, and handles later commands', async () => {
  const consumer = new CommandsConsumer(world.replica(), world.participants);
  const records = [replay, submit, replay].map((command) => ({
    ...recordOf(commands.encode(command)),
    topic: TOPICS.commands.name,
  }));
  expect(await consumer.handle(records)).toEqual(['skip', 'done', 'skip']);
  expect((await world.events(1, srid)).map(({ type, version }) => [type, version])).toEqual([['RequestReceived', 1]]);
  expect(await world.store.load(ws, srid)).toMatchObject({ v: 1, commandSeq: 1 });
});

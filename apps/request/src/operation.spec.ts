import { randomUUID, type KeyObject } from 'node:crypto';
import {
  commands,
  messageId,
  participantReport,
  signRecord,
  TOPICS,
  type Command,
  type ReportedShare,
} from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { CommandsConsumer } from './commands/commands.consumer';
import { restoring } from './operation';
import { World } from './testing/world';

const WS = 'acme';
const AT = '2026-11-21T09:00:00.000Z';
const [GROUP] = restoring.rewoundGroups as readonly [string];
const sealed = 'x'.repeat(40);
const request = {
  ...{
    controllerId: '1',
    apiVersion: '2.0',
    type: 'access',
    submittedTime: AT,
    receivedAt: AT,
    startAt: AT,
    expectedAt: AT,
    groupId: null,
  },
  ...{ fingerprint: 'f', kid: 'k', identities: sealed, callbacks: [] },
} as const;

let world: World;
let crm: KeyObject;
let mail: KeyObject;
beforeEach(async () => {
  world = await World.open();
  [crm, mail] = (await world.register(WS, 'crm', 'mail')) as [KeyObject, KeyObject];
});
afterEach(() => world.close());

const all = (collection: string) =>
  world.parts.connection
    .collection(collection)
    .find({}, { sort: { _id: 1 } })
    .toArray();
const events = async (): Promise<number> => {
  let count = 0;
  await world.parts.log.read(
    TOPICS.requestEvents.name,
    {},
    (records) => ((count += records.length), Promise.resolve()),
  );
  return count;
};
const send = (...some: Command[]) =>
  world.parts.log.publisher.publish(
    TOPICS.commands.name,
    some.map((one) => commands.encode(one)),
  );
const command = (srid: string, seq: number, more: object): Command =>
  ({ id: messageId(srid, seq), ws: WS, srid, at: AT, seq, ...more }) as Command;
const submit = (srid: string) => command(srid, 1, { type: 'SubmitRequest', request });
const start = (srid: string) =>
  command(srid, 2, { type: 'StartRequest', work: { type: 'access', kid: 'k', identities: sealed } });
const cancel = (srid: string) => command(srid, 2, { type: 'CancelRequest' });

let reports = 0;
const report = (srid: string, participant: string, key: KeyObject, share: Partial<ReportedShare> = {}) => {
  const message = participantReport(
    participant,
    { ws: WS, srid },
    { status: 'completed', ...share },
    new Date(Date.parse(AT) + ++reports * 1_000),
  );
  return world.parts.log.publisher.publish(TOPICS.participantReports.name, [signRecord(message, key)]);
};

/** Runs the service's consumers until they have taken in all that the log holds. */
async function consumed(): Promise<void> {
  const { log, parking } = world.parts;
  const [ofCommands, ofReports] = [new CommandsConsumer(world.replica(), world.participants), world.reports()];
  let died: unknown;
  const reading = await log.consume({
    ...{
      group: GROUP,
      topics: [TOPICS.commands.name, TOPICS.participantReports.name],
      parking,
      isInfrastructureError: () => false,
    },
    handle: (records) => (records[0]?.topic === TOPICS.commands.name ? ofCommands : ofReports).handle(records),
    onFatal: (error) => {
      died = error;
    },
  });
  await until(async () => died !== undefined || (await reading.lag()).every(({ lag }) => lag === 0));
  await reading.close();
  expect(died).toBeUndefined();
}

it('a rewind of the group changes no document, and parks the same records under the same ids', async () => {
  const [pending, cancelled, failed, completed, unknown] = Array.from({ length: 5 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
    string,
  ];
  await send(
    submit(pending),
    submit(cancelled),
    cancel(cancelled),
    submit(failed),
    start(failed),
    submit(completed),
    start(completed),
  );
  await consumed();
  await report(failed, 'crm', crm, { status: 'failed', statusMessage: 'disk full' });
  await report(failed, 'crm', crm, { status: 'failed', statusMessage: 'still full' });
  await report(completed, 'crm', crm);
  await report(completed, 'mail', mail, { status: 'skipped' });
  await report(unknown, 'crm', crm);
  await report(pending, 'crm', crm);
  await consumed();
  await send(command(completed, 3, { type: 'CompleteRequest' }));
  await consumed();
  const before = [await all('aggregates'), await all('parked'), await events()];
  expect(before[1]).toMatchObject([{ reason: 'unknown-request' }, { reason: 'not-started' }]);
  await world.parts.log.rewind(GROUP);
  await consumed();
  expect([await all('aggregates'), await all('parked'), await events()]).toEqual(before);
  await world.parts.connection.collection('parked').deleteMany({});
  await world.parts.log.rewind(GROUP);
  await consumed();
  const ids = (documents: unknown) =>
    (documents as { _id: unknown; reason: string }[]).map(({ _id, reason }) => [_id, reason]);
  expect([await all('aggregates'), ids(await all('parked')), await events()]).toEqual([
    before[0],
    ids(before[1]),
    before[2],
  ]);
});

it('a report that was parked since the copy and counts now is applied after a rewind', async () => {
  const srid = randomUUID();
  await send(submit(srid));
  await consumed();
  await report(srid, 'crm', crm);
  await consumed();
  expect(await all('parked')).toMatchObject([{ reason: 'not-started' }]);
  await send(start(srid));
  await consumed();
  // The copy is older than the parked record, and its aggregate is brought forward from the events, where the report is not.
  await world.parts.connection.collection('parked').deleteMany({});
  await world.parts.log.rewind(GROUP);
  await consumed();
  expect(await world.store.load(WS, srid)).toMatchObject({ v: 3, reported: { crm: 'completed' } });
  expect(await all('parked')).toEqual([]);
});

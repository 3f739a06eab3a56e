import { deliveryEvents, messageId, requestEvents, TOPICS, type EncodedMessage } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import type { RequestDocument } from '../admission/request.document';
import { callbackEvents } from '../testing/callback-events';
import { World } from '../testing/world';
import { RequestEventsConsumer } from '../request-events/request-events.consumer';
import { NOBODY } from '../admission/transition-listeners';
import { DeliveryEventsConsumer } from './delivery-events.consumer';
import { FailingRequests } from './failing-requests.store';
import type { CallbackEvent } from './ledger-entry';

const PLANTED = 'planted.person@example.com';

let world: World;
let request: RequestDocument;
let consumer: DeliveryEventsConsumer;
beforeEach(async () => {
  world = await World.open();
  request = await world.admit({ callbackUrls: ['https://a.example.com/1', 'https://a.example.com/2'] });
  consumer = new DeliveryEventsConsumer(
    world.keys,
    world.ledger,
    NOBODY,
    new FailingRequests(world.parts.connection, world.ledger),
  );
});
afterEach(() => world.close());

const recordOf = (topic: string, { key, value, headers }: EncodedMessage): LogRecord => ({
  topic,
  partition: 0,
  offset: '0',
  key,
  value,
  headers,
  timestampMs: 0,
});
const settled = (srid: string, destination: string): EncodedMessage =>
  deliveryEvents.encode({
    type: 'DestinationSettled',
    id: messageId(srid, destination),
    ws: world.ws,
    srid,
    at: world.clock.now().toISOString(),
    destination,
    outcome: 'delivered',
  });
const take = (...messages: EncodedMessage[]) =>
  consumer.handle(messages.map((message) => recordOf(TOPICS.deliveryEvents.name, message)));

it('removes settled destinations, and ignores repeats and unknown requests', async () => {
  const [first, second] = request.openDestinations as [string, string];
  expect(await take(settled(request.srid, first))).toEqual(['done']);
  expect((await world.find(request)).openDestinations).toEqual([second]);
  expect(
    await take(
      settled(request.srid, first),
      settled('475974fa-6b42-4370-bb56-b5d845686bb5', first),
      settled(request.srid, second),
    ),
  ).toEqual(['skip', 'skip', 'done']);
  expect((await world.find(request)).openDestinations).toEqual([]);
});

it('applies callback events and settled destinations of one batch, and ignores repeats', async () => {
  const { ws, srid } = { ...request, ws: world.ws };
  const [first, second] = request.openDestinations as [string, string];
  const [one, two] = [
    callbackEvents({ ws, srid, destination: first }),
    callbackEvents({ ws, srid, destination: second }),
  ];
  const events = [
    one.queued(0, 1),
    two.queued(0, 1),
    one.attempted(1, 1, 'delivered', { httpStatus: 202, durationMs: 1 }),
  ].map((event) => deliveryEvents.encode(event));
  expect(await take(...events, settled(srid, first), events[0] as EncodedMessage)).toEqual([
    'done',
    'done',
    'done',
    'done',
    'skip',
  ]);
  expect((await world.find(request)).openDestinations).toEqual([second]);
  const states = (await world.ledger.listByRequest(ws, srid)).map(({ destination, standing }) => [
    destination,
    standing.state,
  ]);
  expect(Object.fromEntries(states)).toEqual({ [first]: 'delivered', [second]: 'waiting' });
  expect(await take(...events, settled(srid, first))).toEqual(['skip', 'skip', 'skip', 'skip']);
});

it('marks a request while one of its callbacks fails, after repeats as well, until its key is destroyed', async () => {
  const { srid } = request;
  const [one, two] = request.openDestinations.map((destination) =>
    callbackEvents({ ws: world.ws, srid, destination }),
  ) as [ReturnType<typeof callbackEvents>, ReturnType<typeof callbackEvents>];
  const after = async (...events: CallbackEvent[]) => {
    await take(...events.map((event) => deliveryEvents.encode(event)));
    return (await world.find(request)).callbacksFailing ?? false;
  };
  const failed = one.attempted(1, 1, 'rejected', { httpStatus: 500, nextAt: one.nextAt(9) });
  const first = [one.queued(0, 1), two.queued(0, 1), two.attempted(1, 1, 'delivered', { httpStatus: 202 })];
  const states = [await after(...first), await after(failed)];
  // The process died before it marked the request: the records come again.
  await world.parts.connection.collection('requests').updateMany({}, { $unset: { callbacksFailing: 1 } });
  states.push(await after(failed));
  states.push(await after(one.givenUp(10, 'exhausted')), await after(one.queued(20, 21, true)));
  states.push(await after(two.queued(21, 22, true), two.attempted(2, 22, 'unreachable')));
  states.push(await after(one.attempted(2, 23, 'delivered', { httpStatus: 202 })));
  states.push(await after(two.attempted(3, 24, 'delivered', { httpStatus: 202 }), failed));
  states.push(await after(two.queued(30, 31, true), two.attempted(4, 31, 'rejected', { httpStatus: 500 })));
  states.push(await after(two.givenUp(40, 'key-destroyed')));
  expect(states).toEqual([false, true, true, true, true, true, true, false, true, false]);
});

it('records the callbacks of an unknown request, because an older copy may lack its admission', async () => {
  const of = { ws: world.ws, srid: '475974fa-6b42-4370-bb56-b5d845686bb5', destination: 'a' };
  expect(await take(deliveryEvents.encode(callbackEvents(of).queued(0, 1)))).toEqual(['done']);
  expect(await world.ledger.listByRequest(of.ws, of.srid)).toHaveLength(1);
});

it('parks records behind a parked record of the same request, and applies none of them', async () => {
  const { ws, srid } = { ...request, ws: world.ws };
  const { queued } = callbackEvents({ ws, srid, destination: 'a' });
  const good = deliveryEvents.encode(queued(0, 1));
  expect(await take({ ...good, value: Buffer.from('{') }, good)).toEqual([
    { park: 'not-json' },
    { park: 'follows-parked-record' },
  ]);
  expect(await world.ledger.listByRequest(ws, srid)).toEqual([]);
});

it('parks malformed delivery events and request events with a reason that holds no personal data', async () => {
  const good = settled(request.srid, 'destination');
  const message = JSON.parse(good.value.toString()) as object;
  const event = requestEvents.encode({
    type: 'RequestFulfilled',
    id: messageId('x'),
    ws: world.ws,
    srid: request.srid,
    version: 1,
    commandSeq: 1,
    at: world.clock.now().toISOString(),
  });
  const bad = (of: EncodedMessage, value: unknown, headers = of.headers): EncodedMessage => ({
    key: of.key,
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    headers,
  });
  const view = new RequestEventsConsumer(world.view);
  const of = (from: EncodedMessage, content: object) => [
    bad(from, PLANTED),
    bad(from, { ...content, srid: PLANTED }),
    bad(from, { ...content, type: PLANTED }),
    bad(from, { [PLANTED]: PLANTED }),
    bad(from, content, { ...from.headers, ce_type: PLANTED }),
  ];
  const verdicts = [
    ...(await Promise.all(of(good, { ...message, outcome: PLANTED }).map((each) => take(each)))).flat(),
    ...(
      await Promise.all(
        of(event, JSON.parse(event.value.toString()) as object).map((each) =>
          view.handle([recordOf(TOPICS.requestEvents.name, each)]),
        ),
      )
    ).flat(),
  ];
  expect(verdicts).toHaveLength(10);
  for (const verdict of verdicts) expect(verdict).toEqual({ park: expect.any(String) as string });
  expect(JSON.stringify(verdicts)).not.toContain('planted');
});

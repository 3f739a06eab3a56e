import { randomUUID } from 'node:crypto';
import { Receiver } from '../receiver/receiver';
import { lastWords } from './child-service';
import { Controller, json, raw, requestBody } from './controller';
import { PlantedText } from './planted';
import { awaitResult } from './follow';
import type { Service } from './service';

/** What the tests of a suite share: the running service, who uses it, and the text that must not be kept in the clear. */
export interface World {
  readonly service: Service;
  readonly controller: Controller;
  readonly receiver: Receiver;
  readonly planted: PlantedText;
}

/** What the forms of the service differ in, as far as a suite must know. */
export interface Form {
  readonly name: string;
  /** Whether its documents are on MongoDB, which tells how it finds them. */
  readonly onMongodb: boolean;
  /** The rules that the short form of the suite runs on it, beside those about restarts and privacy. */
  readonly half: Half;
}

/** What the edge answers, and what the services behind it do with log and stores. */
export type Half = 'edge' | 'behind';

/** Defines a test on the world of a suite, with its own time limit if its waits need more. */
export type Rule = (title: string, body: (world: World) => Promise<void>, timeoutMs?: number) => void;

export async function openWorld(start: () => Promise<Service>): Promise<World> {
  const service = await start();
  return {
    service,
    controller: new Controller(service),
    receiver: await Receiver.start(service.receiverTls),
    planted: new PlantedText(),
  };
}

export async function closeWorld({ service, receiver }: World): Promise<void> {
  await Promise.all([service.stop(), receiver.close()]);
}

/** Work whose failure prints the last output of the processes. */
export async function withLastWords<T>({ service }: Pick<World, 'service'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    console.error(String(error), lastWords(service.processes, error));
    throw error;
  }
}

/** Tests whose failure prints the last output of the processes. */
export const rulesOn =
  (world: () => World): Rule =>
  (title, body, timeoutMs) => {
    it(
      title,
      async () => {
        await withLastWords(world(), () => body(world()));
      },
      timeoutMs,
    );
  };

export interface Person {
  readonly customerId: string;
  readonly email: string;
  readonly colour: string;
}

/** A person with planted data only. */
export function somebody({ planted: { text } }: Pick<World, 'planted'>): Person {
  const name = `${text}-${randomUUID()}`;
  return { customerId: name, email: `${name}@example.com`, colour: `${text}-colour` };
}

export const identitiesOf = ({ customerId, email }: Person) => [
  raw('controller_customer_id', customerId),
  raw('email', email),
];

/** Ingests a person with one attribute and one event. Returns the profile's id. */
export async function ingestPerson(
  { controller }: Pick<World, 'controller'>,
  { customerId, email, colour }: Person,
): Promise<string> {
  const user_identities = { customer_id: customerId, email };
  const common = { user_identities, ip: '192.0.2.7', timestamp_unixtime_ms: Date.now(), environment: 'production' };
  const identified = await controller.ingest('/v1/identify', { ...common, user_attributes: { colour } });
  const event = { event_type: 'custom_event', data: { event_name: 'visit', custom_attributes: { colour } } };
  const taken = await controller.ingest('/v2/events', { ...common, events: [event] });
  expect([identified.status, taken.status]).toEqual([200, 202]);
  return json<{ mpid: string }>(identified).mpid;
}

/** Waits until data that comes in reaches archives: a service that has just started may still be joining its consumer groups. */
export async function warmUp(world: World): Promise<void> {
  const person = somebody(world);
  await ingestPerson(world, person);
  for (let tries = 0; tries < 5; tries++) {
    const body = requestBody({ subject_identities: identitiesOf(person) });
    expect((await world.controller.create(body)).status).toBe(201);
    const { archive } = await awaitResult(world.controller, body.subject_request_id);
    if (archive?.has('events-001.jsonl') === true) return;
  }
  throw new Error('what was taken in does not reach archives');
}

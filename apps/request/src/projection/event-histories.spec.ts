import { createHash, randomUUID } from 'node:crypto';
import { messageId, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { World } from '../testing/world';
import { readEventHistories } from './event-histories';

const AT = '2026-11-21T09:00:00.000Z';
const UNTIL = '2027-01-20T09:00:00.000Z';
const SEALED = 'x'.repeat(40);

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

it('reads a waiver and an extension once, though a relay has published each of them again', async () => {
  const srid = randomUUID();
  const digests: string[] = [];
  const publishTwice = async (event: object) => {
    const version = digests.length + 2;
    const head = { id: messageId(srid, version), ws: 'acme', srid, version, commandSeq: 2, at: AT };
    const previous = digests.length === 0 ? {} : { previous: digests.at(-1) };
    const message = requestEvents.encode({ ...head, ...previous, ...event } as RequestEvent);
    for (let n = 0; n < 2; n += 1) await world.parts.log.publisher.publish(TOPICS.requestEvents.name, [message]);
    digests.push(createHash('sha256').update(message.value).digest('base64url'));
  };
  await publishTwice({ type: 'ParticipantReported', participant: 'crm', status: 'skipped', waivedBy: 'ops' });
  await publishTwice({ type: 'DeadlineExtended', extendedUntil: UNTIL, extendedBy: 'ops', reason: SEALED });
  const { requests, proved } = await readEventHistories(world.parts.log);
  expect(proved.map(({ kind, digest }) => [kind, digest])).toEqual([
    ['waiver', digests[0]],
    ['extension', digests[1]],
  ]);
  expect([...requests.values()]).toMatchObject([{ version: 3, digest: digests[1], isBroken: false }]);
});

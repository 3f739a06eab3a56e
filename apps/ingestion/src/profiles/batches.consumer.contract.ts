import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { Intake } from '../intake/intake';
import { identity, quietLog, World } from '../testing/world';
import { AttributesConsumer } from './attributes.consumer';
import { BatchesConsumer } from './batches.consumer';

/** What becomes of data from the log, on whichever store. */
export function dataContract(mongodbUri?: string): void {
  describe('data from the log', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(mongodbUri);
    });
    afterAll(() => world.close());

    const someone = async () => {
      const who = identity('email', `${randomUUID()}@example.com`);
      return { who, subject: await world.stores.subjects.identify('ws', [who]) };
    };
    const intake = () => new Intake(world.publisher, world.parts.clock);
    const batches = () => new BatchesConsumer(world.stores.batches, world.parts.vault, quietLog);
    const attributes = () => new AttributesConsumer(world.stores.profiles, world.parts.vault, quietLog);
    let taken = 0;
    const received = async (topic: 'ingestEvents' | 'ingestProfiles', from: number, count: number) =>
      (await world.records(TOPICS[topic].name, from + count)).slice(from, from + count);

    it('is stored once however often it comes, and the rest of its page with it', async () => {
      const { who, subject } = await someone();
      for (const n of [1, 2, 3]) await intake().batch('ws', subject, Buffer.from(`{"n":${n}}`));
      const records = await received('ingestEvents', taken, 3);
      taken += 3;
      expect(await batches().store(records.slice(0, 2))).toEqual(['done', 'done']);
      expect(await batches().store(records)).toEqual(['done', 'done', 'done']);
      const lines = (await world.export('ws', who)).flatMap((item) => ('batch' in item ? [item.batch] : []));
      expect(lines.map((line) => (JSON.parse(line) as { n: number }).n).sort()).toEqual([1, 2, 3]);
    });

    it('is left out where its person was erased meanwhile', async () => {
      const { subject } = await someone();
      const { subject: other } = await someone();
      await intake().batch('ws', subject, Buffer.from('{"n":1}'));
      await intake().batch('ws', other, Buffer.from('{"n":2}'));
      await intake().attributes('ws', subject, { food: 'pie' });
      await world.stores.profiles.remove('ws', subject.mpid);
      await world.parts.vault.destroy('ws', subject.key.kid, 'subject');
      expect(await batches().store(await received('ingestEvents', taken, 2))).toEqual(['skip', 'done']);
      taken += 2;
      expect(await attributes().store(await received('ingestProfiles', 0, 1))).toEqual(['skip']);
      const kept = [];
      for await (const batch of world.stores.batches.readOf('ws', subject.mpid)) kept.push(batch);
      expect(kept).toEqual([]);
      expect(await world.stores.profiles.find('ws', [subject.mpid])).toEqual([]);
    });

    it('keeps attributes as the last call left them, though a page comes twice', async () => {
      const { who, subject } = await someone();
      for (const food of ['pie', 'cake']) await intake().attributes('ws', subject, { food });
      const records = await received('ingestProfiles', 1, 2);
      await attributes().store(records);
      await attributes().store(records);
      expect(await world.export('ws', who)).toContainEqual({ profile: expect.stringContaining('"user_attributes":{"food":"cake"}') as string });
    });
  });
}

import { randomUUID } from 'node:crypto';
import { ingestEvents, ingestProfiles, profileKey, TOPICS, type Identity } from '@opendsr-service/contracts';
import { ParkedStore, RedriveStore, RedriveWorker, settleBatch, type LogRecord } from '@opendsr-service/messaging';
import { missUntilWrite } from '@opendsr-service/storage/testing';
import type { Subject } from '../identities/subject';
import { identity, quietLog, World } from '../testing/world';
import { AttributesConsumer } from './attributes.consumer';
import { BatchesConsumer } from './batches.consumer';
import { losslessJson } from './lossless';
import { ProfilesStore } from './profiles.store';
import { ProfileKeys } from './profile-keys';

/** Data from the event log, for any store. */
export function dataContract(mongodbUri?: string): void {
  describe('data from the log', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(mongodbUri);
    });
    afterAll(() => world.close());

    const ws = 'ws';
    const LIMIT_BYTES = 100;
    const someone = async () => {
      const who = identity('email', `${randomUUID()}@example.com`);
      return { who, subject: await world.identify(ws, who) };
    };
    const at = () => world.parts.clock.now().toISOString();
    let offset = 0;
    const record = (topic: string, encoded: Pick<LogRecord, 'key' | 'value' | 'headers'>): LogRecord => ({
      ...encoded,
      topic,
      partition: 0,
      offset: String(offset++),
      timestampMs: 0,
    });
    const batch = ({ mpid, key }: Subject, n: number, sourceRequest?: string): LogRecord => {
      const sealed = key.seal({ ws, subject: mpid, field: 'batch' }, `{"n":${n}}`);
      const message = {
        type: 'BatchReceived',
        id: randomUUID(),
        ws,
        mpid,
        at: at(),
        kid: key.kid,
        batch: sealed,
        ...(sourceRequest && { sourceRequest }),
      } as const;
      return record(TOPICS.ingestEvents.name, ingestEvents.encode(message));
    };
    const attributes = ({ mpid, key }: Subject, values: object): LogRecord => {
      const sealed = key.seal({ ws, subject: mpid, field: 'attributes' }, losslessJson(values));
      return record(
        TOPICS.ingestProfiles.name,
        ingestProfiles.encode({
          type: 'AttributesReceived',
          id: randomUUID(),
          ws,
          mpid,
          at: at(),
          kid: key.kid,
          attributes: sealed,
        }),
      );
    };
    const malformed = (like: LogRecord): LogRecord => ({
      ...like,
      value: Buffer.from('{"planted":"planted.person@example.com"'),
    });
    const batches = () =>
      new BatchesConsumer(
        world.stores.batches,
        world.stores.sourceRequests,
        new ProfileKeys(world.stores.profiles, world.parts.vault),
        quietLog,
      );
    const parking = () => new ParkedStore(world.parts.connection);
    const attributesOn = (profiles: ProfilesStore, limitBytes = LIMIT_BYTES) =>
      new AttributesConsumer(profiles, world.parts.vault, limitBytes, parking());
    const kept = async (who: Identity) =>
      (await world.export(ws, who))
        .flatMap((item) => ('batch' in item ? [(JSON.parse(item.batch) as { n: number }).n] : []))
        .sort();
    const known = async (who: Identity) => {
      const [profile = ''] = (await world.export(ws, who)).flatMap((item) => ('profile' in item ? [item.profile] : []));
      return (JSON.parse(profile) as { user_attributes: unknown }).user_attributes;
    };
    const erase = async ({ mpid, key }: Subject) => {
      await world.stores.profiles.removeData(ws, mpid);
      await world.parts.vault.destroy(ws, key.kid, 'subject');
    };

    it('is stored once in spite of repeats, with the rest of its page', async () => {
      const { who, subject } = await someone();
      const records = [1, 2, 3].map((n) => batch(subject, n));
      expect(await batches().store(records.slice(0, 2))).toEqual(['done', 'done']);
      expect(await batches().store(records)).toEqual(['done', 'done', 'done']);
      expect(await kept(who)).toEqual([1, 2, 3]);
    });

    it('is stored once if its caller repeats it, and accepted if the event log repeats the first', async () => {
      const { who, subject } = await someone();
      const [first, second, third] = [batch(subject, 1, 'same'), batch(subject, 2, 'same'), batch(subject, 3, 'other')];
      expect(await batches().store([first, second])).toEqual(['done', 'skip']);
      expect(await batches().store([second, third])).toEqual(['skip', 'done']);
      expect(await batches().store([first])).toEqual(['done']);
      expect(await kept(who)).toEqual([1, 3]);
    });

    it('is stored also if the first read after an election misses its profile', async () => {
      const { who, subject } = await someone();
      const profiles = world.parts.connection.collection('profiles');
      missUntilWrite(profiles);
      expect(await batches().store([batch(subject, 1)])).toEqual(['done']);
      missUntilWrite(profiles);
      expect(await attributesOn(world.stores.profiles).store([attributes(subject, { food: 'pie' })])).toEqual(['done']);
      expect([await kept(who), await known(who)]).toEqual([[1], { food: 'pie' }]);
    });

    it('is stored also if several shards just had an election', async () => {
      const people = await Promise.all([1, 2, 3].map(() => someone()));
      const profiles = world.parts.connection.collection<{ _id: string }>('profiles');
      const missed = new Set(people.map(({ subject }) => profileKey(ws, subject.mpid)));
      const { find, updateOne } = { find: profiles.find.bind(profiles), updateOne: profiles.updateOne.bind(profiles) };
      const spies = [
        jest
          .spyOn(profiles, 'find')
          .mockImplementation((filter = {}, options = {}) =>
            find({ $and: [filter, { _id: { $nin: [...missed] } }] }, options),
          ),
        jest.spyOn(profiles, 'updateOne').mockImplementation(async (filter, change, options) => {
          const result = await updateOne(filter, change, options);
          missed.delete(filter._id as string);
          return result;
        }),
      ];
      const verdicts = await batches().store(people.map(({ subject }, n) => batch(subject, n)));
      for (const spy of spies) spy.mockRestore();
      expect(verdicts).toEqual(['done', 'done', 'done']);
    });

    it('is stored once also if the first read after an election misses the entry of its id', async () => {
      const { who, subject } = await someone();
      const entries = world.parts.connection.collection('sourceRequests');
      for (const [n, verdict] of ['done', 'skip'].entries()) {
        missUntilWrite(entries);
        expect(await batches().store([batch(subject, n, 'elected')])).toEqual([verdict]);
      }
      expect(await kept(who)).toEqual([0]);
    });

    it('is stored also if the entry of its id is swept at once, because its consumer lags', async () => {
      const { who, subject } = await someone();
      const entries = world.parts.connection.collection<{ _id: string; ws: string }>('sourceRequests');
      const write = entries.bulkWrite.bind(entries);
      const sweeping = jest.spyOn(entries, 'bulkWrite').mockImplementationOnce(async (...args) => {
        const result = await write(...args);
        await entries.deleteMany({ ws });
        return result;
      });
      const page = [batch(subject, 1, 'old'), batch(subject, 2, 'old'), batch(subject, 3)];
      expect(await batches().store(page)).toEqual(['done', 'skip', 'done']);
      sweeping.mockRestore();
      expect(await kept(who)).toEqual([1, 3]);
    });

    it('may be repeated under the same id once the id is swept', async () => {
      const { who, subject } = await someone();
      await batches().store([batch(subject, 1, 'forgotten'), batch(subject, 2, 'forgotten too')]);
      world.parts.clock.advance(1_000);
      expect(await batches().store([batch(subject, 3, 'kept')])).toEqual(['done']);
      const sweep = () => world.stores.sourceRequests.sweep(world.parts.clock.now(), 100);
      expect(await sweep()).toBeGreaterThanOrEqual(2);
      expect(await sweep()).toBe(0);
      expect(await batches().store([batch(subject, 4, 'forgotten'), batch(subject, 5, 'kept')])).toEqual([
        'done',
        'skip',
      ]);
      expect(await kept(who)).toEqual([1, 2, 3, 4]);
    });

    it('is skipped if its subject was erased meanwhile', async () => {
      const { subject } = await someone();
      const { who, subject: other } = await someone();
      const page = [batch(subject, 1), batch(other, 2)];
      const facts = [attributes(subject, { food: 'pie' }), attributes(other, { food: 'cake' })];
      await erase(subject);
      expect(await batches().store(page)).toEqual(['key-gone', 'done']);
      expect(await attributesOn(world.stores.profiles).store(facts)).toEqual(['key-gone', 'done']);
      expect(await world.stores.batches.removePageByProfile(ws, subject.mpid)).toBe(false);
      expect(await world.stores.profiles.find(ws, [subject.mpid])).toEqual([]);
      expect([await kept(who), await known(who)]).toEqual([[2], { food: 'cake' }]);
    });

    it('is skipped without its profile, so that no unreachable data is stored', async () => {
      const { who, subject } = await someone();
      const { subject: lost } = await someone();
      const page = [batch(lost, 1), batch(subject, 2), batch({ ...lost, mpid: subject.mpid }, 3)];
      const { profiles } = world.stores;
      await profiles.removeData(ws, lost.mpid);
      for (const absent of [() => undefined, () => profiles.preclude(ws, lost.mpid, lost.key.kid)]) {
        await absent();
        expect(await batches().store(page)).toEqual(['key-gone', 'done', 'key-gone']);
        expect(await attributesOn(profiles).store([attributes(lost, { food: 'pie' })])).toEqual(['key-gone']);
        expect(await profiles.findByKeys(ws, [lost.key.kid])).toEqual([]);
      }
      expect(await world.stores.batches.removePageByProfile(ws, lost.mpid)).toBe(false);
      expect(await kept(who)).toEqual([2]);
    });

    it('is restored into an older copy of the database, and changes nothing in a current one', async () => {
      const { who, subject } = await someone();
      const page = [1, 2, 3].map((n) => batch(subject, n, `sent-${n}`));
      const facts = [
        attributes(subject, { food: 'pie', seen: 1 }),
        attributes(subject, { food: 'soup' }),
        attributes(subject, { food: 'cake', seen: null }),
      ];
      const all = async () => {
        for (const one of page) await batches().store([one]);
        for (const one of facts) await attributesOn(world.stores.profiles).store([one]);
      };
      await all();
      await all();
      expect([await kept(who), await known(who)]).toEqual([[1, 2, 3], { food: 'cake' }]);
      // As in an older copy: the profile without later data.
      while (await world.stores.batches.removePageByProfile(ws, subject.mpid));
      const [profile] = await world.stores.profiles.find(ws, [subject.mpid]);
      await world.parts.connection
        .collection<{ _id: string; ws: string }>('profiles')
        .updateOne({ _id: profile?._id ?? '', ws }, { $unset: { attributes: 1, merged: 1 } });
      await all();
      expect([await kept(who), await known(who)]).toEqual([[1, 2, 3], { food: 'cake' }]);
    });

    it('is parked alone if it is malformed, with a reason that reveals no content', async () => {
      const { who, subject } = await someone();
      const page = [batch(subject, 1), malformed(batch(subject, 2)), batch(subject, 3)];
      expect(await batches().store(page)).toEqual(['done', { park: 'not-json', aside: true }, 'done']);
      const facts = [
        attributes(subject, { food: 'pie' }),
        malformed(attributes(subject, { food: 'cake' })),
        attributes(subject, { drink: 'tea' }),
      ];
      expect(await attributesOn(world.stores.profiles).store(facts)).toEqual([
        'done',
        { park: 'not-json', aside: true },
        'done',
      ]);
      const wrong = {
        ...attributes(subject, {}),
        value: Buffer.from('{"type":"AttributesReceived","mpid":"planted.person@example.com"}'),
      };
      const [verdict] = await attributesOn(world.stores.profiles).store([wrong]);
      expect(verdict).toMatchObject({ park: expect.stringMatching(/^schema:/) as string });
      expect(JSON.stringify(verdict)).not.toContain('planted');
      expect([await kept(who), await known(who)]).toEqual([[1, 3], { food: 'pie', drink: 'tea' }]);
    });

    it('is parked aside if its seal does not open, and does not use its id', async () => {
      const { who, subject } = await someone();
      const { subject: other } = await someone();
      const forging = { ...subject, key: { ...other.key, kid: subject.key.kid } };
      const broken = { park: 'seal-broken', aside: true };
      expect(
        await batches().store([batch(subject, 1), batch(forging, 2, 'named'), batch(subject, 3, 'named')]),
      ).toEqual(['done', broken, 'done']);
      const facts = [
        attributes(subject, { food: 'pie' }),
        attributes(forging, { food: 'cake' }),
        attributes(subject, { drink: 'tea' }),
      ];
      expect(await attributesOn(world.stores.profiles).store(facts)).toEqual(['done', broken, 'done']);
      expect([await kept(who), await known(who)]).toEqual([[1, 3], { food: 'pie', drink: 'tea' }]);
    });

    it('is parked aside if it would make a profile too large, which stays unchanged', async () => {
      const { who, subject } = await someone();
      const { who: another, subject: other } = await someone();
      const facts = [
        attributes(subject, { food: 'pie' }),
        attributes(subject, { food: 'x'.repeat(LIMIT_BYTES) }),
        attributes(subject, { drink: 'tea' }),
        attributes(other, { food: 'x'.repeat(LIMIT_BYTES) }),
      ];
      const tooLarge = { park: 'profile-too-large', aside: true };
      for (let times = 0; times < 2; times += 1)
        expect(await attributesOn(world.stores.profiles).store(facts)).toEqual(['done', tooLarge, 'done', tooLarge]);
      expect([await known(who), await known(another)]).toEqual([{ food: 'pie', drink: 'tea' }, {}]);
    });

    it('keeps attributes of the last call when a page is repeated', async () => {
      const { who, subject } = await someone();
      const { who: another, subject: other } = await someone();
      const facts = [
        attributes(subject, { food: 'pie', gone: 1 }),
        attributes(other, { food: 'soup' }),
        attributes(subject, { food: 'cake', gone: null }),
      ];
      for (let times = 0; times < 2; times += 1)
        expect(await attributesOn(world.stores.profiles).store(facts)).toEqual(['done', 'done', 'done']);
      expect([await known(who), await known(another)]).toEqual([{ food: 'cake' }, { food: 'soup' }]);
    });

    it('loses no attributes to a concurrent writer', async () => {
      const { who, subject } = await someone();
      const { who: another, subject: other } = await someone();
      const earlier = attributes(subject, { drink: 'tea' });
      let isFirst = true;
      class Overtaken extends ProfilesStore {
        override async replaceAttributes(...args: Parameters<ProfilesStore['replaceAttributes']>): Promise<boolean> {
          if (isFirst) await attributesOn(world.stores.profiles).store([earlier]);
          isFirst = false;
          return super.replaceAttributes(...args);
        }
      }
      expect(
        await attributesOn(new Overtaken(world.parts.connection)).store([
          attributes(subject, { food: 'pie' }),
          attributes(other, { food: 'soup' }),
        ]),
      ).toEqual(['done', 'done']);
      expect([await known(who), await known(another)]).toEqual([{ drink: 'tea', food: 'pie' }, { food: 'soup' }]);
    });

    class Counted extends ProfilesStore {
      readonly calls: (readonly [string, number])[] = [];
      override readAllInFull(ids: readonly string[]) {
        this.calls.push(['read', ids.length]);
        return super.readAllInFull(ids);
      }
      override replaceAttributes(changed: Parameters<ProfilesStore['replaceAttributes']>[0]) {
        this.calls.push(['write', changed.length]);
        return super.replaceAttributes(changed);
      }
    }

    it('is merged into many small profiles by one read and one write', async () => {
      const people = await Promise.all(Array.from({ length: 40 }, () => someone()));
      const facts = [1, 2].flatMap((seen) => people.map(({ subject }) => attributes(subject, { seen })));
      const counted = new Counted(world.parts.connection);
      expect(await attributesOn(counted).store(facts)).toEqual(facts.map(() => 'done'));
      expect(counted.calls).toEqual([
        ['read', 40],
        ['write', 40],
      ]);
      expect(await Promise.all(people.map(({ who }) => known(who)))).toEqual(people.map(() => ({ seen: 2 })));
    });

    it('is merged into large profiles in turns, each of 16 MiB and one profile at most', async () => {
      const people = await Promise.all(Array.from({ length: 5 }, () => someone()));
      const large = 'x'.repeat(4_000_000);
      for (const { subject } of people) {
        const sealed = subject.key.seal({ ws, subject: subject.mpid, field: 'attributes' }, losslessJson({ large }));
        await world.parts.connection
          .collection<{ _id: string; ws: string }>('profiles')
          .updateOne({ _id: profileKey(ws, subject.mpid), ws }, { $set: { attributes: sealed } });
      }
      const counted = new Counted(world.parts.connection);
      const facts = people.map(({ subject }) => attributes(subject, { seen: 1 }));
      expect(await attributesOn(counted, 5_000_000).store(facts)).toEqual(facts.map(() => 'done'));
      expect(counted.calls).toEqual([
        ['read', 5],
        ['write', 4],
        ['write', 1],
      ]);
      for (const { who } of [people[0], people[4]].flatMap((one) => one ?? []))
        expect(await known(who)).toEqual({ large, seen: 1 });
    });

    it('is read only where it is needed', async () => {
      const { who, subject } = await someone();
      await attributesOn(world.stores.profiles).store([attributes(subject, { food: 'pie' })]);
      const { profiles, matcher } = world.stores;
      const id = profileKey(ws, subject.mpid);
      const found = [
        ...(await profiles.find(ws, [subject.mpid])),
        ...(await profiles.findAll([id])),
        ...(await profiles.findByKeys(ws, [subject.key.kid])),
        ...(await matcher.findProfiles(ws, [who], 'all')),
      ];
      const known = { _id: id, ws, mpid: subject.mpid, kid: subject.key.kid, createdAt: world.parts.clock.now() };
      expect(found).toEqual([known, known, known, known]);
    });

    it('resets no profile when the event log is replayed', async () => {
      const { who, subject } = await someone();
      const facts = [
        attributes(subject, { consent: 'yes', phone: 1 }),
        attributes(subject, { consent: 'no', phone: null }),
        attributes(subject, { food: 'pie' }),
      ];
      await attributesOn(world.stores.profiles).store(facts);
      for (const one of facts) {
        expect(await attributesOn(world.stores.profiles).store([one])).toEqual(['done']);
        expect(await known(who)).toEqual({ consent: 'no', food: 'pie' });
      }
      const next = attributes(subject, { food: 'cake' });
      expect(await attributesOn(world.stores.profiles).store([...facts, next])).toEqual([
        'done',
        'done',
        'done',
        'done',
      ]);
      expect(await known(who)).toEqual({ consent: 'no', food: 'cake' });
    });

    it('is merged from a new topic, and into a profile without merge position', async () => {
      const { who, subject } = await someone();
      const facts = [attributes(subject, { food: 'pie' }), attributes(subject, { food: 'cake' })];
      await attributesOn(world.stores.profiles).store(facts);
      const restarted = { ...attributes(subject, { food: 'soup' }), offset: '0', timestampMs: 1 };
      expect(await attributesOn(world.stores.profiles).store([restarted])).toEqual(['done']);
      expect(await known(who)).toEqual({ food: 'soup' });
      const [profile] = await world.stores.profiles.find(ws, [subject.mpid]);
      await world.parts.connection
        .collection<{ _id: string; ws: string }>('profiles')
        .updateOne({ _id: profile?._id ?? '', ws }, { $unset: { merged: 1 } });
      expect(await attributesOn(world.stores.profiles).store(facts)).toEqual(['done', 'done']);
      expect(await known(who)).toEqual({ food: 'cake' });
    });

    describe('parked as too large', () => {
      const group = 'ingestion-data';
      const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
      const rules = (limitBytes: number) => ({
        group,
        logger,
        isInfrastructureError: () => false,
        handle: (records: readonly LogRecord[]) => attributesOn(world.stores.profiles, limitBytes).store(records),
      });
      const settle = (records: readonly LogRecord[]) =>
        settleBatch(records, { ...rules(LIMIT_BYTES), parking: parking() });
      const parked = () =>
        world.parts.connection.collection<{ _id: string; redriveAt: Date; reason: string; key: string }>('parked');
      const reasonsOf = async ({ key }: LogRecord) =>
        (
          await parked()
            .find({ key, aside: true, group, topic: TOPICS.ingestProfiles.name } as object)
            .toArray()
        ).map(({ reason }) => reason);
      const redrive = async ({ key }: LogRecord) => {
        await parked().updateMany(
          { key, aside: true, group, topic: TOPICS.ingestProfiles.name },
          { $set: { redriveAt: new Date(0) } },
        );
        await new RedriveWorker(rules(10 * LIMIT_BYTES), new RedriveStore(world.parts.connection)).runOnce();
      };
      const large = (subject: Subject) => attributes(subject, { food: 'x'.repeat(LIMIT_BYTES) });

      it('is merged when it is redriven under a higher limit and is still the latest', async () => {
        const { who, subject } = await someone();
        const [first, refused] = [attributes(subject, { food: 'pie' }), large(subject)];
        await settle([first, refused]);
        await redrive(refused);
        expect([await reasonsOf(refused), await known(who)]).toEqual([[], { food: 'x'.repeat(LIMIT_BYTES) }]);
      });

      it('stays parked as overtaken after later ones are merged, and undoes nothing', async () => {
        const { who, subject } = await someone();
        const [refused, later] = [large(subject), attributes(subject, { food: 'cake' })];
        await settle([refused, later]);
        expect(await reasonsOf(refused)).toEqual(['profile-too-large']);
        for (let times = 0; times < 2; times += 1) {
          await redrive(refused);
          expect([await reasonsOf(refused), await known(who)]).toEqual([['profile-overtaken'], { food: 'cake' }]);
          await settle([refused, later]);
        }
      });

      it('stays parked as overtaken also if the clock of its writer was ahead', async () => {
        const { who, subject } = await someone();
        const [ahead, later] = [{ ...large(subject), timestampMs: 5_000 }, attributes(subject, { food: 'cake' })];
        await settle([ahead]);
        await settle([later]);
        await redrive(ahead);
        expect([await reasonsOf(ahead), await known(who)]).toEqual([['profile-overtaken'], { food: 'cake' }]);
      });

      it('is parked even if processes crashed between merging later ones and parking it', async () => {
        const { who, subject } = await someone();
        const page = [
          attributes(subject, { food: 'pie' }),
          large(subject),
          attributes(subject, { drink: 'tea' }),
        ] as const;
        const longer = [...page, attributes(subject, { seen: 1 })];
        for (const merged of [page, longer]) await attributesOn(world.stores.profiles).store(merged);
        await settle(longer);
        expect([await reasonsOf(page[1]), await known(who)]).toEqual([
          ['profile-too-large'],
          { food: 'pie', drink: 'tea', seen: 1 },
        ]);
      });
    });
  });
}

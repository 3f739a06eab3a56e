import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import {
  destroyedKeys,
  participantReport,
  PARTICIPANTS,
  RECORD_SIGNATURE_HEADER,
  signRecord,
  TOPICS,
  type EncodedMessage,
  type ReportedShare,
} from '@opendsr-service/contracts';
import { isPublishable } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { builtInReportKey } from '@opendsr-service/workspaces';
import type { RequestInput } from '../domain/decide';
import { recordOf, World } from '../testing/world';

const at = '2026-11-21T09:00:00.000Z';
const id = '00000000-0000-5000-8000-000000000001';
const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
const work = { type: 'erasure', kid: 'k', identities: sealed } as const;
const admission = {
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
} as const;
const planted = 'ann@example.com';
const stranger = createSecretKey(randomBytes(32));

/** The highest value of CREATE_LIMIT_IDENTITIES. */
const MOST_IDENTITIES = 15_000;

let world: World;
let ws: string;
let srid: string;
let crm: KeyObject;
let mail: KeyObject;
let ingestion: KeyObject;
let reports = 0;
/** Each is a second later than the one that was made before. */
const report = (participant: string, share: Partial<ReportedShare> = {}, of = { ws, srid }): EncodedMessage =>
  participantReport(participant, of, { status: 'completed', ...share }, new Date(Date.parse(at) + ++reports * 1_000));
/** The verdict on one record. */
const take = async (message: EncodedMessage, key?: KeyObject) =>
  (await world.reports().handle([recordOf(message, key)]))[0];
const aside = (reason: string) => ({ park: reason, aside: true });
const submit = (): RequestInput => ({ type: 'SubmitRequest', id, ws, srid, at, seq: 1, request: admission });
const state = () => world.store.load(ws, srid);

// One world for all, as it takes a moment to make: each spec has a workspace and a request of its own.
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  ws = `acme-${randomUUID()}`;
  srid = randomUUID();
  [crm, mail] = (await world.register(ws, 'crm', 'mail', 'shop')) as [KeyObject, KeyObject];
  ingestion = builtInReportKey(world.seal, PARTICIPANTS.ingestion);
  const participants = [
    { name: 'ingestion' },
    { name: 'crm', domain: 'crm.example' },
    { name: 'mail', domain: 'mail.example' },
  ];
  const requests = world.replica();
  await requests.handle(submit());
  await requests.handle({ type: 'StartRequest', id, ws, srid, at, seq: 2, work, participants });
});

describe('a report', () => {
  it('counts if its participant signed it, and is skipped when it comes again', async () => {
    expect(await take(report('ingestion', { erased: ['e1'] }), ingestion)).toBe('done');
    expect(await take(report('crm', { status: 'failed', statusMessage: 'disk full' }), crm)).toBe('done');
    expect(await take(report('crm', { status: 'failed', statusMessage: 'disk full' }), crm)).toBe('skip');
    const events = await world.events(4, srid);
    expect(events[2]).toMatchObject({
      participant: 'ingestion',
      status: 'completed',
      erased: ['e1'],
      extensions: [
        { name: 'crm', status: 'pending' },
        { name: 'mail', status: 'pending' },
      ],
    });
    expect(events[3]).toMatchObject({
      ...{ participant: 'crm', status: 'failed', statusMessage: 'disk full' },
      extensions: [
        { domain: 'crm.example', name: 'crm', status: 'failed', statusMessage: 'disk full' },
        { domain: 'mail.example', name: 'mail', status: 'pending', statusMessage: null },
      ],
    });
  });

  describe('of an erasure', () => {
    const profiles = (count: number): Partial<ReportedShare> => ({
      erased: Array.from({ length: count }, () => randomBytes(32).toString('base64url')),
      destroyed: destroyedKeys(
        ws,
        Array.from({ length: count }, () => randomUUID()),
        { profiles: count, batches: count },
      ),
    });
    const publish = (message: EncodedMessage) =>
      world.parts.log.publisher.publish(TOPICS.participantReports.name, [signRecord(message, ingestion)]);

    const startBesideMany = async () => {
      srid = randomUUID();
      const participants = Array.from({ length: 99 }, (_, n) => ({
        name: `${n}`.padStart(63, 'p'),
        domain: `${n}.`.padStart(253, 'd'),
      }));
      await world.replica().handle(submit());
      const start = { type: 'StartRequest', id, ws, srid, at, seq: 2, work } as const;
      const ours = [{ name: 'ingestion' }, { name: 'crm', domain: 'crm.example' }];
      await world.replica().handle({ ...start, participants: [...ours, ...participants] });
    };

    it('may name a profile for each identity that a request may have, and so may its event beside 100 participants', async () => {
      await startBesideMany();
      const largest = report('ingestion', profiles(MOST_IDENTITIES));
      await publish(largest);
      expect(await take(largest, ingestion)).toBe('done');
      const [, , event] = await world.events(3, srid);
      expect(event).toMatchObject({ destroyed: { keys: MOST_IDENTITIES } });
      expect((event as { erased?: readonly string[] } | undefined)?.erased).toHaveLength(MOST_IDENTITIES);
    });

    it('is parked aside where its event would not fit a record of the log, and delays no other report', async () => {
      await startBesideMany();
      const tooLarge = report('ingestion', profiles(19_000));
      expect(isPublishable(signRecord(tooLarge, ingestion))).toBe(true);
      expect(await take(tooLarge, ingestion)).toEqual(aside('too-large'));
      expect(await take(report('crm'), crm)).toBe('done');
      expect((await world.events(3, srid)).map(({ version, type }) => `${version} ${type}`)).toEqual([
        '1 RequestReceived',
        '2 RequestStarted',
        '3 ParticipantReported',
      ]);
    });

    it('is not accepted with more than a record of the log holds', async () => {
      await expect(publish(report('ingestion', profiles(20_000)))).rejects.toMatchObject({ reason: 'too-large' });
    });
  });

  it.each(['2026-11-21T10:00:00.000+0000', '2026-11-21 10:00:00Z', '2026-11-21t12:00:00+02:00'])(
    'whose time is spelt %s has it in its event as all others have',
    async (spelt) => {
      const { value, headers, key } = report('crm');
      const spelling = { ...(JSON.parse(value.toString()) as object), at: spelt };
      expect(await take(signRecord({ value: Buffer.from(JSON.stringify(spelling)), headers, key }, crm))).toBe('done');
      expect((await world.events(3, srid))[2]).toMatchObject({ participant: 'crm', at: '2026-11-21T10:00:00.000Z' });
    },
  );

  it('that an attacker replays has no effect, despite its valid signature', async () => {
    const [first, second] = ['disk full', 'still full'].map((statusMessage) =>
      report('crm', { status: 'failed', statusMessage }),
    ) as [EncodedMessage, EncodedMessage];
    expect([await take(first, crm), await take(second, crm), await take(first, crm)]).toEqual(['done', 'done', 'skip']);
    expect((await state())?.messages).toEqual({ crm: 'still full' });
    expect(await take(report('crm'), crm)).toBe('done');
  });

  it('that is repeated after the request was fulfilled is skipped, not parked', async () => {
    for (const [name, key] of [
      ['ingestion', ingestion],
      ['crm', crm],
      ['mail', mail],
    ] as const)
      expect(await take(report(name), key)).toBe('done');
    expect(await state()).toMatchObject({ status: 'fulfilled' });
    expect(await take(report('mail'), mail)).toBe('skip');
  });

  it.each([
    ['without a signature', () => report('crm'), undefined],
    ['signed by somebody else', () => report('crm'), () => stranger],
    ['signed by another participant', () => report('crm'), () => mail],
    ['that names one of our own', () => report('ingestion', { erased: ['e1'] }), () => crm],
    [
      'signed for other bytes',
      () => ({ ...signRecord(report('crm'), crm), value: report('crm', { status: 'failed' }).value }),
      undefined,
    ],
    [
      'whose signature is none',
      () => ({ ...report('crm'), headers: { ...report('crm').headers, [RECORD_SIGNATURE_HEADER]: 'x'.repeat(64) } }),
      undefined,
    ],
    ['for a request that nobody knows, unsigned', () => report('crm', {}, { ws, srid: randomUUID() }), undefined],
  ] as [string, () => EncodedMessage, (() => KeyObject) | undefined][])(
    '%s is parked aside and changes nothing',
    async (_what, made, key) => {
      const before = await state();
      expect(await take(made(), key?.())).toEqual(aside('wrong-signature'));
      expect(await state()).toEqual(before);
    },
  );

  it('of an unregistered participant is parked aside, also in an unknown workspace', async () => {
    expect(await take(report('nobody'), stranger)).toEqual(aside('not-registered'));
    expect(await take(report('crm', {}, { ws: 'none', srid }), crm)).toEqual(aside('not-registered'));
  });

  it('of a registered participant that does not take part is parked aside', async () => {
    const results = builtInReportKey(world.seal, PARTICIPANTS.results);
    expect(await take(report('results'), results)).toEqual(aside('not-registered'));
  });

  it('of a participant that was removed meanwhile is parked aside, until it is waived', async () => {
    await world.participants.remove(ws, 'crm');
    expect(await take(report('crm'), crm)).toEqual(aside('not-registered'));
    expect(await take(report('crm', { status: 'skipped', waivedBy: 'jo' }), world.waiver)).toBe('done');
  });

  it('for an unknown request is parked aside', async () => {
    expect(await take(report('crm', {}, { ws, srid: randomUUID() }), crm)).toEqual(aside('unknown-request'));
  });

  it('for a request that has not started, or never will, is parked aside', async () => {
    srid = randomUUID();
    await world.replica().handle(submit());
    expect(await take(report('crm'), crm)).toEqual(aside('not-started'));
    await world.replica().handle({ type: 'CancelRequest', id, ws, srid, at, seq: 2 });
    expect(await take(report('crm'), crm)).toEqual(aside('not-started'));
  });
});

describe('a waiver', () => {
  const waived = { status: 'skipped', waivedBy: 'jo' } as const;

  it("counts for a participant that failed, on the operators' signature, and is passed on", async () => {
    await take(report('crm', { status: 'failed' }), crm);
    expect(await take(report('crm', waived), world.waiver)).toBe('done');
    expect((await world.events(4, srid))[3]).toMatchObject({
      participant: 'crm',
      ...waived,
      extensions: [{ name: 'crm', status: 'skipped' }, { name: 'mail' }],
    });
  });

  it('of our own participants is parked aside under any signature: no erasure may be shown as done by mistake', async () => {
    const before = await state();
    for (const name of Object.values(PARTICIPANTS))
      for (const key of [world.waiver, ingestion, undefined])
        expect(await take(report(name, waived), key)).toEqual(aside('not-waivable'));
    expect(await state()).toEqual(before);
  });

  it('that a participant signed, for itself or another, is parked aside', async () => {
    for (const key of [crm, mail, ingestion, stranger])
      expect(await take(report('crm', waived), key)).toEqual(aside('wrong-signature'));
  });

  it('of who takes no part in the request is parked aside', async () => {
    expect(await take(report('shop', waived), world.waiver)).toEqual(aside('not-registered'));
  });

  it("has the status skipped, and the operators' signature is valid only for waivers", async () => {
    expect(await take(report('crm', { waivedBy: 'jo' }), world.waiver)).toEqual(aside('waived-but-not-skipped'));
    expect(await take(report('crm', { status: 'skipped' }), world.waiver)).toEqual(aside('wrong-signature'));
  });
});

describe('an invalid report', () => {
  const withValue = (value: string, type = 'ParticipantReport'): EncodedMessage =>
    signRecord(
      { ...report('crm'), value: Buffer.from(value), headers: { ce_type: `org.opendsr-service.${type}.v1` } },
      crm,
    );
  const changed = (change: object) =>
    JSON.stringify({ ...(JSON.parse(report('crm').value.toString()) as object), ...change });

  it.each([
    ['no JSON', () => withValue(planted)],
    ['of an unknown type', () => withValue(changed({}), planted)],
    ['without headers', () => ({ ...report('crm'), headers: {} })],
    ['an unknown status', () => withValue(changed({ status: planted }))],
    ['another type of value', () => withValue(changed({ participant: [planted] }))],
    ['too long a message', () => withValue(changed({ statusMessage: planted.repeat(20) }))],
    ['no request', () => withValue(changed({ srid: planted }))],
    ['no time', () => signRecord(withValue(changed({ at: '2026-11-21T23:59:60Z' })), crm)],
    ['a time before the year 0', () => signRecord(withValue(changed({ at: '0000-01-01T00:00:00+01:00' })), crm)],
    ['a time after the year 9999', () => signRecord(withValue(changed({ at: '9999-12-31T23:59:59-01:00' })), crm)],
    ['half a character', () => signRecord(withValue(changed({ statusMessage: `${planted}\ud83d` })), crm)],
    ['nothing', () => withValue('')],
  ])('(%s) is parked aside with a reason that holds none of its content', async (_what, made) => {
    const verdict = await take(made());
    expect(verdict).toMatchObject({ aside: true });
    expect((verdict as { park: string }).park).not.toBe('wrong-signature');
    expect(JSON.stringify(verdict)).not.toContain('ann');
  });
});

it('an invalid report of an outsider blocks no valid report of the request; only its reason is logged', async () => {
  const { log, parking, connection } = world.parts;
  const consumer = world.reports();
  const lines: string[] = [];
  const logLine = (fields: object, message: string) => void lines.push(JSON.stringify({ fields, message }));
  const messages = [
    { ...report('crm'), value: Buffer.from(`{"participant":"${planted}"}`) },
    report('crm', { statusMessage: planted }),
    signRecord(report('nobody', { statusMessage: planted }), stranger),
    signRecord(report('crm', { status: 'failed' }), crm),
    signRecord(report('crm'), crm),
  ];
  await log.publisher.publish(TOPICS.participantReports.name, messages);
  let died: unknown;
  const reading = await log.consume({
    ...{
      group: 'request',
      topics: [TOPICS.participantReports.name],
      parking,
      isInfrastructureError: () => false,
      logger: { info: logLine, warn: logLine },
    },
    handle: (records) => consumer.handle(records),
    onFatal: (error) => (died = error),
  });
  await until(async () => (await state())?.reported.crm === 'completed');
  await reading.close();
  expect(died).toBeUndefined();
  const parked = await connection.collection<{ reason: string }>('parked').find({}).sort({ _id: 1 }).toArray();
  expect(parked.map(({ reason }) => reason.split(':')[0])).toEqual(['schema', 'wrong-signature', 'not-registered']);
  for (const text of [...parked.map(({ reason }) => reason), ...lines]) expect(text).not.toContain(planted);
});

import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { evidenceLeaves, TOPICS } from '@opendsr-service/contracts';
import { RedriveCall, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { Replica } from '@opendsr-service/messaging/testing';
import { systemClock } from '@opendsr-service/service';
import { ensureMasterKey, leafKeyOf, MasterSeal, openVault } from '@opendsr-service/vault';
import { say as sayTo } from '../testing/say';
import { Stores } from '../testing/stores';
import { parkedDrop } from './parked-drop.command';
import { parkedList } from './parked-list.command';
import { parkedRedrive } from './parked-redrive.command';
import { parkedShow } from './parked-show.command';

const commands = [parkedList, parkedShow, parkedRedrive, parkedDrop];
const SRID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const KEY = `acme:${SRID}`;
const PLANTED = 'ann@example.com';
const TOPIC = 'dsr.request-events.v1';
const type = 'org.opendsr-service.RequestStarted.v1';

const record = (offset: number, key = KEY, headers: Record<string, string> = { ce_type: type }): LogRecord => ({
  topic: TOPIC,
  partition: 3,
  offset: String(offset),
  key,
  value: Buffer.from(`{"of":"${PLANTED}"}\n`),
  headers,
  timestampMs: 7,
});

let stores: Stores;
let masterKey: KeyObject;
let verdict: Verdict;
let gateway: Replica;
let handled: string[];
const say = (line: string) => stores.say(commands, line);
const listed = async (line: string) =>
  (JSON.parse((await say(line)).out.join('\n')) as { readonly records: readonly object[] }).records;
const json = async (line: string) => (await say(line)).out.map((text) => JSON.parse(text) as Record<string, unknown>);

const openKeysAsService = async () =>
  openVault(await stores.database('keys'), { masterKey }, () => 0, {
    available: true,
    publish: () => Promise.resolve(),
  });

beforeAll(async () => {
  stores = await Stores.open();
  masterKey = await ensureMasterKey(join(stores.dataDir, 'keys', 'master.key'));
  await openKeysAsService();
});
afterAll(() => stores.close());

beforeEach(async () => {
  await stores.empty('parked', 'audit');
  [verdict, handled] = [{ park: 'version-gap' }, []];
  const answer = ({ offset }: LogRecord) => {
    if (verdict === 'done') handled.push(offset);
    return Promise.resolve(verdict);
  };
  gateway = new Replica({
    connection: await stores.database('gateway'),
    group: 'gateway',
    now: () => systemClock.now().getTime(),
    answer,
  });
});

describe('dsr parked list', () => {
  it('names what is parked in every service, with what waits behind it', async () => {
    await gateway.consume(record(9), record(10), record(11));
    const ingestion = new Replica({
      connection: await stores.database('ingestion'),
      group: 'ingestion-data',
      now: () => systemClock.now().getTime(),
      answer: () => Promise.resolve({ park: 'seal-broken', aside: true }),
    });
    await ingestion.consume(record(1));
    const { code, out } = await say('parked list');
    expect(code).toBe(0);
    expect(out.map((line) => line.replace(/\d{4}-\S+Z/, 'TIME'))).toEqual([
      `gateway/${TOPIC}/3/10  ${KEY}  RequestStarted  follows-parked-record  TIME  waiting`,
      `gateway/${TOPIC}/3/11  ${KEY}  RequestStarted  follows-parked-record  TIME  waiting`,
      `gateway/${TOPIC}/3/9  ${KEY}  RequestStarted  version-gap  TIME  blocking 2`,
      `ingestion-data/${TOPIC}/3/1  ${KEY}  RequestStarted  seal-broken  TIME  aside`,
    ]);
  });

  it('chooses by service, workspace and reason, and answers a machine with one document, an empty one too', async () => {
    await gateway.consume(record(9), record(20, `acme2:${SRID}`));
    expect(await listed(`parked list --service gateway --workspace acme --reason version-gap --json`)).toEqual([
      expect.objectContaining({
        id: `gateway/${TOPIC}/3/9`,
        kind: 'blocking',
        behind: 0,
        marked: false,
        type: 'RequestStarted',
      }),
    ]);
    expect(await listed('parked list --service gateway --json')).toHaveLength(2);
    expect(await listed('parked list --service results --json')).toEqual([]);
    expect(await say('parked list --service results')).toEqual({ code: 0, out: ['nothing is parked'], err: [] });
    expect(await say('parked list --service elsewhere')).toMatchObject({ code: 2 });
  });

  it('chooses by kind', async () => {
    await gateway.consume(record(9), record(10));
    const offsets = async (kind: string) =>
      (await listed(`parked list --kind ${kind} --json`)).map((one) =>
        (one as { readonly id: string }).id.split('/').at(-1),
      );
    expect([await offsets('blocking'), await offsets('waiting'), await offsets('aside')]).toEqual([['9'], ['10'], []]);
    expect(await offsets('not-aside')).toEqual(['10', '9']);
    expect(await say('parked list --kind odd')).toMatchObject({ code: 2 });
  });

  it('shows of a foreign key only its hash, and of a foreign type nothing: they may be personal', async () => {
    await gateway.consume(
      record(9, PLANTED, { ce_type: PLANTED, [PLANTED]: PLANTED }),
      record(12, `${PLANTED}:${SRID}`, { ce_type: `org.opendsr-service.${PLANTED}.v1` }),
    );
    for (const line of [
      'parked list',
      'parked list --json',
      `parked show --id gateway/${TOPIC}/3/9`,
      `parked show --id gateway/${TOPIC}/3/12 --json`,
    ]) {
      const { code, out } = await say(line);
      expect([code, out.join('\n')]).toEqual([0, expect.stringContaining('sha256:')]);
      expect(out.join('\n')).not.toMatch(/ann|example/);
    }
  });
});

describe('dsr parked show', () => {
  it('shows place, reason and the headers of ours, and no value', async () => {
    await gateway.consume(
      record(9, KEY, { ce_type: type, ce_subject: KEY, ce_time: PLANTED, 'x-other': PLANTED }),
      record(10),
    );
    const [shown] = await json(`parked show --id gateway/${TOPIC}/3/9 --json`);
    expect(shown).toMatchObject({
      reason: 'version-gap',
      behind: 1,
      bytes: 25,
      headers: {
        known: { ce_type: type, ce_subject: KEY, ce_time: expect.stringMatching(/^sha256:/) as string },
        others: 1,
      },
    });
    expect(shown).not.toHaveProperty('value');
    expect((await say(`parked show --id gateway/${TOPIC}/3/9`)).out.join('\n')).not.toMatch(/ann|example/);
    expect(await stores.audit()).toEqual([]);
  });

  it('shows the value only to somebody who is noted before, on one line', async () => {
    await gateway.consume(record(9));
    expect(await say(`parked show --id gateway/${TOPIC}/3/9 --value`)).toMatchObject({ code: 2, out: [] });
    const { code, out } = await say(`parked show --id gateway/${TOPIC}/3/9 --value --by ops`);
    expect([code, out.find((line) => line.startsWith('value'))]).toEqual([
      0,
      String.raw`value      "{\"of\":\"ann@example.com\"}\n"`,
    ]);
    expect(await stores.audit()).toEqual([
      {
        ws: 'acme',
        srid: SRID,
        action: 'parked-value-shown',
        record: `gateway/${TOPIC}/3/9`,
        by: 'ops',
        at: expect.any(Date) as Date,
      },
    ]);
  });

  it('says where there is no such record', async () => {
    expect(await say(`parked show --id gateway/${TOPIC}/3/9`)).toEqual({
      code: 1,
      out: [],
      err: [`no record gateway/${TOPIC}/3/9 is parked`],
    });
    expect(await say(`parked show --id elsewhere/${TOPIC}/3/9`)).toMatchObject({ code: 1 });
    expect(await say('parked show --id 9')).toMatchObject({ code: 2 });
  });
});

/** The service at work until the command is over. */
async function working<T>(over: Promise<T>): Promise<T> {
  let isOver = false;
  void over.finally(() => (isOver = true));
  while (!isOver) {
    await gateway.redrive();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return over;
}

describe('dsr parked redrive', () => {
  it('marks for a service that is stopped, and says when it will be done', async () => {
    await gateway.consume(record(9), record(10));
    expect(await say('parked redrive --all')).toEqual({
      code: 0,
      out: [expect.stringMatching(/^marked 1: /)],
      err: [],
    });
    expect((await say('parked list')).out.filter((line) => line.endsWith('marked'))).toHaveLength(1);
    verdict = 'done';
    await gateway.redrive();
    expect([handled, (await say('parked list')).out]).toEqual([['9', '10'], ['nothing is parked']]);
  });

  it('waits, and says what is done', async () => {
    await gateway.consume(record(9), record(10), record(20, `acme2:${SRID}`));
    verdict = 'done';
    expect(
      await working(say('parked redrive --service gateway --workspace acme --reason version-gap --wait 60')),
    ).toEqual({ code: 0, out: ['marked 1: 1 done, 0 parked again, 0 waiting'], err: [] });
    expect(handled).toEqual(['9', '10']);
  });

  it('ends with 1 where some were parked again, or wait when the time is over', async () => {
    await gateway.consume(record(9), record(10));
    expect(await working(say('parked redrive --all --wait 60 --json'))).toEqual({
      code: 1,
      out: [
        JSON.stringify({
          marked: 1,
          markedAlready: 0,
          done: 0,
          waiting: 0,
          parkedAgain: 1,
          behind: { waiting: 0, parkedAgain: 0 },
        }),
      ],
      err: [],
    });
    expect(await say('parked redrive --all --wait 1')).toEqual({
      code: 1,
      out: ['marked 1: 0 done, 0 parked again, 1 waiting'],
      err: [],
    });
  });

  it('waits for records that another call or a restore marked earlier: a record of a stopped service is not done', async () => {
    await gateway.consume(record(9), record(10));
    expect(await json('parked redrive --all --json')).toEqual([{ marked: 1, markedAlready: 0 }]);
    expect(await say('parked redrive --all')).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^marked 0 \(1 was marked already\): the service/)],
    });
    expect(await say('parked redrive --all --wait 1')).toEqual({
      code: 1,
      out: ['marked 0 (1 was marked already): 0 done, 0 parked again, 1 waiting'],
      err: [],
    });
    verdict = 'done';
    const progress = jest.spyOn(RedriveCall.prototype, 'progress');
    const over = json(`parked redrive --id gateway/${TOPIC}/3/9 --wait 60 --json`);
    while (progress.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await working(over)).toEqual([
      { marked: 0, markedAlready: 1, done: 1, waiting: 0, parkedAgain: 0, behind: { waiting: 0, parkedAgain: 0 } },
    ]);
    progress.mockRestore();
    expect(handled).toEqual(['9', '10']);
  });

  it('takes one record; of one that waits behind another it names that', async () => {
    await gateway.consume(record(9), record(10));
    expect(await say(`parked redrive --id gateway/${TOPIC}/3/10`)).toMatchObject({
      code: 1,
      err: [expect.stringContaining(`waits behind gateway/${TOPIC}/3/9`)],
    });
    expect(await json(`parked redrive --id gateway/${TOPIC}/3/9 --json`)).toEqual([{ marked: 1, markedAlready: 0 }]);
  });

  it.each([
    'parked redrive',
    'parked redrive --all --service gateway',
    `parked redrive --id gateway/${TOPIC}/3/9 --reason odd`,
    `parked redrive --id gateway/${TOPIC}/3/9 --kind aside`,
    'parked redrive --all --wait 0',
  ])('refuses what cannot be meant: dsr %s', async (line) => {
    expect(await say(line)).toMatchObject({ code: 2, out: [] });
  });
});

describe('dsr parked drop', () => {
  it('drops nothing whose leaf the log does not take', async () => {
    await gateway.consume(record(9));
    const dropped = await say(`parked drop --id gateway/${TOPIC}/3/9 --by ops --because forged`);
    expect([dropped.code, await listed('parked list --json')]).toEqual([1, [expect.anything()]]);
  });

  it('drops nothing by a master key that is not known as that of the services: none would take the leaf', async () => {
    await gateway.consume(record(9));
    const drop = `parked drop --id gateway/${TOPIC}/3/9 --by ops --because forged`;
    await stores.empty('rootKeys');
    expect(await say(drop)).toMatchObject({ code: 1, err: [expect.stringContaining('no service has opened')] });
    await openKeysAsService();
    const env = { DATA_DIR: stores.dataDir, MASTER_KEY_FILE: join(stores.dataDir, 'other.key') };
    await ensureMasterKey(env.MASTER_KEY_FILE);
    expect(await sayTo(drop, { commands, env })).toMatchObject({
      code: 1,
      err: [expect.stringContaining('are wrapped by master key')],
    });
    expect([await stores.audit(), await listed('parked list --json')]).toEqual([[], [expect.anything()]]);
  });

  it('notes who gives up on a record and why; what waited behind it goes on', async () => {
    await stores.applyTopics();
    await gateway.consume(record(9), record(10));
    expect(await say(`parked drop --id gateway/${TOPIC}/3/10 --by ops --because forged`)).toMatchObject({
      code: 1,
      err: [expect.stringContaining('waits behind')],
    });
    expect(await say(`parked drop --id gateway/${TOPIC}/3/9 --by ops --because forged`)).toMatchObject({
      code: 0,
      out: [`dropped gateway/${TOPIC}/3/9`, expect.stringMatching(/^1 that wait/)],
    });
    expect(await stores.audit()).toEqual([
      {
        ws: 'acme',
        srid: SRID,
        action: 'parked-drop-asked',
        record: `gateway/${TOPIC}/3/9`,
        by: 'ops',
        because: 'forged',
        at: expect.any(Date) as Date,
      },
    ]);
    const codec = evidenceLeaves(leafKeyOf(new MasterSeal(masterKey)));
    const leaves = (await stores.records(TOPICS.evidenceLeaves.name)).map((one) => codec.decode(one));
    const { auditedOf } = await import('@opendsr-service/gateway/operation');
    const drops: { digest: string }[] = [];
    for await (const drop of auditedOf(await stores.database('gateway'))) drops.push(drop);
    expect(leaves).toMatchObject([{ ws: 'acme', kind: 'parked-drop', digest: drops[0]?.digest }]);
    verdict = 'done';
    await gateway.redrive();
    expect([handled, (await say('parked list')).out]).toEqual([['10'], ['nothing is parked']]);
  });
});

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../command';
import { World } from '../testing/world';
import { say as sayTo } from '../testing/say';
import { databases } from './databases';
import { dbApply, dbCheck } from './db.command';

const commands = [dbApply, dbCheck];

describe('dsr db beside a running service, on embedded stores', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());
  const say = (line: string) => world.say(commands, line);

  it('knows the database of each service and those that they share', async () => {
    expect((await databases()).map(({ name }) => name)).toEqual([
      'gateway',
      'request',
      'callback_dispatcher',
      'results',
      'ingestion',
      'keys',
      'workspaces',
    ]);
  });

  it('names what is missing with 1, makes it, and has nothing to say then', async () => {
    const before = await say('db check');
    expect(before.code).toBe(EXIT.failed);
    expect(before.out).toContain(
      'gateway: index startAt_1 of requests is missing: it should be {"startAt":1}, partialFilterExpression {"startAt":{"$exists":true}}',
    );
    // What the service that runs has made is not named.
    expect(before.out.filter((line) => line.startsWith('workspaces:'))).toEqual([]);
    const applied = await say('db apply');
    expect(applied.code).toBe(EXIT.ok);
    expect(applied.out).toContain('gateway: created index startAt_1 of requests');
    expect(applied.out.at(-1)).toBe('all indexes are correct');
    expect(await say('db check')).toEqual({ code: EXIT.ok, out: ['all indexes are correct'], err: [] });
  });

  it('lists what no service wants, which it never drops, and what is not as it must be', async () => {
    const requests = (await world.database('gateway')).collection('requests');
    await requests.createIndex({ surname: 1 });
    await requests.dropIndex('startAt_1');
    await requests.createIndex({ startAt: -1 }, { name: 'startAt_1' });
    const lines = [
      'gateway: index startAt_1 of requests differs: it is {"startAt":-1}, should be {"startAt":1}, ' +
        'partialFilterExpression {"startAt":{"$exists":true}}',
      'gateway: index surname_1 of requests is not used by any service of this version: it is {"surname":1}',
    ];
    expect(await say('db apply')).toEqual({ code: EXIT.failed, out: lines, err: [] });
    const { code, out } = await say('db check --json');
    expect([code, out.length]).toEqual([EXIT.failed, 1]);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      databases: [
        {
          database: 'gateway',
          made: [],
          differences: [
            { collection: 'requests', index: 'startAt_1', kind: 'different' },
            { index: 'surname_1', kind: 'undeclared' },
          ],
        },
        {},
        {},
        {},
        {},
        {},
        {},
      ],
    });
  });
});

it('makes nothing in a folder without stores', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'db-'));
  const { code, err } = await sayTo('db check', { commands, env: { DATA_DIR: folder } });
  expect([code, err]).toEqual([
    EXIT.failed,
    [
      `there are no stores of the service in ${folder}: set DATA_DIR to their folder, or KAFKA_BROKERS and MONGODB_URI to real servers`,
    ],
  ]);
  expect(existsSync(join(folder, 'gateway.sqlite'))).toBe(false);
  rmSync(folder, { recursive: true });
});

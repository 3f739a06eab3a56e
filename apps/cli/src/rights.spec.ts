import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONSUMER_GROUPS, TOPICS } from '@opendsr-service/contracts';
import { databaseOfService, SERVICE_NAMES } from '@opendsr-service/operator-answers';
import { systemClock } from '@opendsr-service/service';
import { openStorage } from '@opendsr-service/storage';
import { Vault } from '@opendsr-service/vault';
import { commands } from './commands';
import { databases, databasesOf } from './db/databases';
import { foldable } from './projections/foldable';
import { restored } from './restore/restored';
import {
  commandsWithDatabases,
  databasesOfCommand,
  databasesOfUser,
  namesIn,
  row,
  sorted,
} from './testing/rights-page';

const named = (cell: string | undefined, of: readonly string[]): string[] =>
  namesIn(cell)
    .filter((name) => of.includes(name))
    .toSorted();
const topics = Object.values(TOPICS).map(({ name }) => name);
const groups = Object.keys(CONSUMER_GROUPS);

describe('docs/connecting.md gives', () => {
  it('each service its groups with their topics, and its databases', async () => {
    for (const service of SERVICE_NAMES) {
      const [reads, of] = row(service);
      const own = databaseOfService(service).groups;
      expect(named(of, groups)).toEqual(sorted(own));
      expect(namesIn(reads)).toEqual(
        expect.arrayContaining(own.flatMap((group) => CONSUMER_GROUPS[group].map(({ name }) => name))),
      );
      expect(databasesOfUser(service).writes).toEqual((await databasesOf([service])).map(({ name }) => name));
    }
  });

  it('the doctor every group', () => {
    expect(named(row('`doctor`')[1], groups)).toEqual(sorted(groups));
  });

  it('projections the topics that they are folded from', async () => {
    const { services } = await foldable();
    const folded = services.flatMap(({ projections }) => projections.flatMap((projection) => projection.topics));
    expect(named(row('`projections verify`')[0], topics)).toEqual(sorted(folded));
    expect(row('`projections rebuild`')[0]).toBe('the same');
  });

  it('the operator’s user the databases of commands that name them by the code', async () => {
    const all = sorted((await databases()).map(({ name }) => name));
    const { services } = await foldable();
    const five = sorted(services.map(({ database }) => database.name));
    const folded = sorted(
      services.filter(({ projections }) => projections.length > 0).map(({ database }) => database.name),
    );
    const needs = {
      doctor: { reads: all.filter((name) => name !== 'keys'), writes: ['keys'] },
      'db check': { reads: all, writes: [] },
      'db apply': { reads: [], writes: all },
      'parked list': { reads: five, writes: [] },
      'parked drop': { reads: ['keys'], writes: five },
      'projections verify': { reads: sorted([...folded, 'keys']), writes: [] },
      'projections rebuild': { reads: ['keys'], writes: folded },
      restore: { reads: [], writes: sorted([...five, 'keys']) },
    };
    expect(Object.fromEntries(Object.keys(needs).map((name) => [name, databasesOfCommand(name)]))).toEqual(needs);
  });

  it('each command a row of databases', () => {
    const isIn = (words: string) => commandsWithDatabases.some((name) => `${words} `.startsWith(`${name} `));
    expect(commands.map(({ words }) => words).filter((words) => !isIn(words))).toEqual([]);
  });

  it('restore what it reads and the groups that it rewinds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cli-rights-'));
    const storage = await openStorage({ dataDir: folder });
    const [read, rewound] = [new Set<string>(), new Set<string>()];
    const events = {
      read: (topic: string) => (read.add(topic), Promise.resolve({})),
      rewind: (group: string) => (rewound.add(group), Promise.resolve()),
    };
    const tombstones = { available: true, publish: () => Promise.resolve() };
    const masterKey = createSecretKey(Buffer.alloc(32));
    const vault = new Vault(await storage.database('keys'), masterKey, Date.now, { tombstones });
    await vault.foldTombstones(events);
    const tools = { now: new Date(0), keyKeepMs: 1, tombstoneKey: vault.tombstoneKey };
    const folding = { tools, scratchDir: folder, stop: new AbortController().signal };
    for (const operation of (await foldable()).services)
      await restored(operation, { storage, events, vault, clock: systemClock, folding });
    await storage.close();
    rmSync(folder, { recursive: true });
    const [same, more] = ['`projections verify`', '`restore`'].map((first) => row(first)[0]);
    expect(more).toMatch(/^the same/);
    expect(named(`${same} ${more}`, topics)).toEqual(sorted(read));
    expect(named(row('`restore`')[1], groups)).toEqual(sorted(rewound));
  });
});

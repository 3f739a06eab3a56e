import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { embeddedStorage } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import manifest from '../../package.json';
import { databases } from './databases';

interface Index {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
}

/** By the names of a database and of a collection. */
type Indexes = Readonly<Record<string, readonly Index[]>>;

const folder = join(__dirname, 'golden/indexes');
const textOf = (release: string): string => readFileSync(join(folder, `${release}.json`), 'utf8');
const recorded = (release: string) => JSON.parse(textOf(release)) as Indexes;

/** The releases of which the indexes are recorded (docs/compatibility.md, "Documents"). The last one may be still to come. */
const RELEASES = readdirSync(folder)
  .map((name) => name.replace('.json', ''))
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
const [latest = ''] = RELEASES.slice(-1);

async function onEach(storage: Storage, work: (connection: Connection, database: string) => Promise<void>) {
  for (const { name, models } of await databases()) {
    const connection = await storage.database(name);
    models(connection);
    await work(connection, name);
  }
}

async function madeIn(storage: Storage): Promise<Indexes> {
  const made: Record<string, Index[]> = {};
  await onEach(storage, async (connection, database) => {
    await ensureIndexes(connection, { optional: true });
    for (const { name } of (await connection.db?.listCollections().toArray()) ?? []) {
      const all = (await connection.collection(name).listIndexes().toArray()) as (Index & { readonly v: number })[];
      const declared = all.map(({ v: _v, ...index }) => index).filter((index) => index.name !== '_id_');
      if (declared.length > 0) made[`${database}.${name}`] = declared;
    }
  });
  return made;
}

describe('the indexes', () => {
  let storage: Storage;
  beforeEach(async () => void (storage = await embeddedStorage()));
  afterEach(() => storage.close());

  // One that changes under its name, or changes its name alone, is refused by the store, and no service starts.
  it.each(RELEASES)('of %s are no obstacle to the start of this version', async (release) => {
    await onEach(storage, async (connection, database) => {
      for (const [place, indexes] of Object.entries(recorded(release)))
        for (const { key, ...options } of place.startsWith(`${database}.`) ? indexes : [])
          await connection.collection(place.slice(database.length + 1)).createIndex(key, options);
    });
    await expect(madeIn(storage)).resolves.toEqual(expect.anything());
  });

  // Databases keep one that is gone: it slows writes, and where it is unique it refuses them, until somebody drops it.
  it(`of this version are those of ${latest} (golden/indexes)`, async () => {
    expect(await madeIn(storage)).toEqual(recorded(latest));
    expect(RELEASES).toContain(manifest.version);
  });

  it.each(RELEASES)('of %s stay as they were recorded, once it is tagged', (release) => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    // The source may have come without its history.
    const isTagged = existsSync(join(__dirname, '../../../../.git')) && git('tag', '--list', `v${release}`) !== '';
    expect(isTagged ? git('show', `v${release}:./${release}.json`) : textOf(release)).toBe(textOf(release));
  });
});

import { ensureIndexes } from '@opendsr-service/storage';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { ArchivesStore } from '../archives/archives.store';
import { ErasuresStore } from '../erasure/erasures.store';
import { overdueIn } from './work.measures.store';

const noon = new Date('2026-11-21T12:00:00Z');
const before = (ms: number) => new Date(noon.getTime() - ms);
const database = embeddedDatabase('results');
afterAll(() => database.close());

it('tells of each kind of work when the most overdue was due', async () => {
  const connection = await database.open();
  const [archives, erasures] = [new ArchivesStore(connection), new ErasuresStore(connection)];
  await ensureIndexes(connection);
  const found = async () => Object.fromEntries(await Promise.all(Object.entries(overdueIn(connection)).map(async ([work, find]) => [work, await find(noon)] as const)));
  expect(await found()).toEqual({ 'archives': undefined, 'archive-erasures': undefined, 'archive-sweep': undefined });
  await archives.order({ ws: 'acme', srid: 'a', kid: 'k', identities: 'sealed' }, before(1));
  await archives.complete('acme', 'a', before(9), before(3));
  await erasures.add({ ws: 'acme', srid: 'b', erased: [] }, before(2));
  expect(await found()).toEqual({ 'archives': before(1), 'archive-erasures': before(2), 'archive-sweep': before(3) });
});

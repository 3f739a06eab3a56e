import { ensureIndexes } from '@opendsr-service/storage';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { ErasuresStore } from '../erasure/erasures.store';
import { overdueIn } from './work.measures.store';

const noon = new Date('2026-11-21T12:00:00Z');
const database = embeddedDatabase('ingestion');
afterAll(() => database.close());

it('tells when the most overdue erasure was due', async () => {
  const connection = await database.open();
  const erasures = new ErasuresStore(connection);
  await ensureIndexes(connection);
  expect(await overdueIn(connection).erasures(noon)).toBeUndefined();
  for (const ms of [1, 5, 3]) await erasures.add({ ws: 'acme', srid: `s${ms}`, kid: 'k', identities: 'sealed' }, noon, new Date(noon.getTime() - ms));
  expect(await overdueIn(connection).erasures(noon)).toEqual(new Date(noon.getTime() - 5));
});

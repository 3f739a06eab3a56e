import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { requestsCollection } from '../../admission/requests-collection.store';
import { serveForTests } from '../../testing/serve-for-tests';

const NAME = `letters to planted-${randomUUID()}@example.com`;
const REQUESTS = '/v2/requests';

const here = serveForTests();

type Fields = Readonly<Record<string, unknown>>;

async function create(group_id: string): Promise<string> {
  const id = randomUUID();
  const subject_identities = [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }];
  const body = {
    regulation: 'gdpr',
    subject_request_id: id,
    subject_request_type: 'access',
    submitted_time: '2026-11-20',
    subject_identities,
    group_id,
  };
  expect((await here.service.call('POST', REQUESTS, { body })).status).toBe(201);
  return id;
}
const read = async (id: string) => (await (await here.service.call('GET', `${REQUESTS}/${id}`)).json()) as Fields;
const list = async (name: string) =>
  (await (await here.service.call('GET', `${REQUESTS}?group_id=${encodeURIComponent(name)}`)).json()) as Fields[];
const ofGroup = (records: readonly Fields[]) => records.map((record) => [record.subject_request_id, record.group_id]);

/** The files of all databases and of the log in which a text stands, as it is or in Base64. */
function filesWith(text: string): string[] {
  const { dataDir } = here.world.parts;
  const encoded = Buffer.from(text).toString('base64').replace(/=*$/, '').slice(0, -1);
  return readdirSync(dataDir).filter((file) =>
    [text, encoded].some((form) => readFileSync(join(dataDir, file)).includes(form)),
  );
}

it('shows a group name as it was sent, and stores it in no document and no record in the clear', async () => {
  const ids = [await create(NAME), await create(NAME)];
  await create('another');
  expect((await read(ids[0] as string)).group_id).toBe(NAME);
  expect(new Set(ofGroup(await list(NAME)))).toEqual(new Set(ids.map((id) => [id, NAME])));
  expect(await list(NAME.toUpperCase())).toEqual([]);
  const records = (await here.world.records(TOPICS.commands.name, 3)).map(({ value }) => value.toString());
  expect(records.filter((value) => value.includes(ids[0] as string))).toHaveLength(1);
  expect(records.filter((value) => value.includes(NAME))).toEqual([]);
  expect(filesWith(NAME)).toEqual([]);
  for (const kept of ['gateway', 'log']) expect(filesWith(ids[0] as string).join(' ')).toContain(kept);
});

it('a read shows no group name after the key is destroyed; the list of the group still shows it', async () => {
  const name = `${NAME} again`;
  const [forgotten, known] = [await create(name), await create(name)];
  // In a process that had never seen the key.
  const collection = requestsCollection(here.world.parts.connection);
  await collection.updateOne({ srid: forgotten }, { $unset: { sealed: 1 } });
  expect([(await read(forgotten)).group_id, (await read(known)).group_id]).toEqual([null, name]);
  expect(new Set(ofGroup(await list(name)))).toEqual(new Set([forgotten, known].map((id) => [id, name])));
  await collection.updateOne({ srid: known }, { $set: { kid: 'destroyed' } });
  expect((await read(known)).group_id).toBeNull();
});

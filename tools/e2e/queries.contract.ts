import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../receiver/until';
import { watchCallbacks } from './callback-watch';
import { requestBody } from './controller';
import { awaitAttestation, awaitResult } from './follow';
import { queriesDuring, type RunQuery } from './query-plans';
import { identitiesOf, ingestPerson, somebody, type Rule, type World } from './world';

/** By which index the services find what they poll and write; each is used in the test. */
const HOT_PATHS: Readonly<Record<string, readonly string[]>> = {
  'gateway.requests': ['_id', 'startAt', 'outboxAt', 'personsAt', 'attestAt', 'keyDueAt'],
  'gateway.callbacks': ['_id'],
  'gateway.attestations': ['_id'],
  'gateway.leaves': ['index'],
  'request.aggregates': ['_id', 'outboxAt'],
  'callback_dispatcher.destinations': ['_id', 'dueAt', 'outboxAt'],
  'results.archives': ['_id', 'dueAt', 'sweepAt'],
  'results.erasures': ['dueAt'],
  'ingestion.erasures': ['_id', 'dueAt'],
  'ingestion.identities': ['_id'],
  'keys.dataKeys': ['_id'],
  ...Object.fromEntries(
    ['gateway', 'request', 'callback_dispatcher', 'results', 'ingestion'].map((name) => [`${name}.parked`, ['group']]),
  ),
};

/** Collections of a few documents, which are read whole. */
const READ_WHOLE: readonly string[] = ['keys.linkKeys'];

const LONGEST_POLLS_MS = 60_000;
const LOOK_MS = 1_000;

const nameOf = ({ collection, fields, sort, indexes }: RunQuery): string =>
  `${collection} by ${[...fields].sort().join(', ')}${sort.length > 0 ? `, sorted by ${sort.join(', ')}` : ''}: ` +
  (indexes?.join(', ') ?? 'reads the collection');

/** Whether a field of the filter, or the order, begins each index that it used. */
const isIndexed = ({ collection, fields, sort, indexes }: RunQuery): boolean =>
  indexes?.every((field) => fields.includes(field) || sort.includes(field)) ?? READ_WHOLE.includes(collection);

function unused(queries: readonly RunQuery[]): string[] {
  const used = new Set(queries.flatMap(({ collection, indexes = [] }) => indexes.map((one) => `${collection} ${one}`)));
  return Object.entries(HOT_PATHS).flatMap(([collection, indexes]) =>
    indexes.map((index) => `${collection} ${index}`).filter((name) => !used.has(name)),
  );
}

async function live(world: World): Promise<void> {
  const { controller } = world;
  const person = somebody(world);
  await ingestPerson(world, person);
  for (const subject_request_type of ['access', 'erasure']) {
    const watch = watchCallbacks(world);
    const body = requestBody({
      subject_request_type,
      subject_identities: identitiesOf(person),
      status_callback_urls: [watch.url],
    });
    expect((await controller.create(body)).status).toBe(201);
    await awaitResult(controller, body.subject_request_id);
    await awaitAttestation(controller, body.subject_request_id);
    await until('its last callback', () => Promise.resolve(watch.statuses().at(-1) === 'completed'), LONGEST_POLLS_MS);
  }
}

/** What MongoDB does for the services (decision 11), on the form that has one. */
export function queryRules(rule: Rule): void {
  rule(
    'each query of whole lives, callbacks and pollers finds its documents by an index of its fields',
    async (world) => {
      const { stores } = world.service;
      if (!('mongodbUri' in stores)) throw new Error('the service is not on MongoDB');
      const queries = await queriesDuring(stores, async (seen) => {
        await live(world);
        const all = async () => (await sleep(LOOK_MS), unused(await seen()).length === 0);
        // The assertion below names those that are missing.
        await until('all pollers to look', all, LONGEST_POLLS_MS).catch(() => undefined);
      });
      expect(unused(queries)).toEqual([]);
      expect([...new Set(queries.filter((query) => !isIndexed(query)).map(nameOf))]).toEqual([]);
    },
  );
}

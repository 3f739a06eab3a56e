import { FULL } from './full';
import { awaitResult } from './follow';
import { requestBody } from './controller';
import { dsr } from './operator';
import { copiesOf, DATABASES, type Copies, type Database } from './restore/copies';
import { AFTER, BEFORE, History } from './restore/history';
import { answersAbout, awaitQuiet, dropAttestations, heldIn, type Answers, type Held } from './restore/truth';
import { suiteSettings, type Service } from './service';
import { watchCallbacks } from './callback-watch';
import { until } from '../receiver/until';
import { closeWorld, identitiesOf, openWorld, rulesOn, warmUp, withLastWords, type World } from './world';

/** Long enough for one restore on a busy machine, and for the history. */
const TEST_MS = 300_000;

export const restoreSettings = { ...suiteSettings, ...BEFORE };

const isKeys = (database: Database): boolean => database === 'keys';

interface Lived {
  readonly world: World;
  readonly history: History;
  /** As the databases were in the middle of the history. */
  readonly older: Copies;
  /** Keys that were there in the middle. */
  readonly olderKeys: ReadonlySet<string>;
  readonly answers: Answers;
  /** What the first restore finds, before it puts anything back. */
  end?: End;
}

/** The end of the history, as databases and log have it. */
interface End {
  /** Where the log can be put back too. */
  readonly copies: Copies | undefined;
  readonly held: Held;
  /** Keys that were there in the middle and are destroyed at the end, at least one. */
  readonly destroyed: ReadonlySet<string>;
}

/**
 * One history, and then databases lost: an older copy of them is put back, and `dsr restore` brings it to what the log
 * says (docs/backup.md).
 * `each`: which databases are lost by themselves.
 */
export function restoreContract(name: string, start: () => Promise<Service>, each: readonly Database[]): void {
  describe(`databases restored from older copies, on ${name}`, () => {
    let lived: Lived | undefined;
    const there = () => {
      if (!lived) throw new Error('the history did not come to its end');
      return lived;
    };
    const rule = rulesOn(() => there().world);

    beforeAll(async () => {
      lived = await live(start);
    }, TEST_MS);
    afterAll(async () => {
      await Promise.all([lived?.older.remove(), lived?.end?.copies?.remove()]);
      if (lived) await closeWorld(lived.world);
    }, TEST_MS);

    const restores = (databases: readonly Database[]) => {
      for (const database of databases)
        rule(
          `${database}: everything is as the log has it, nothing is sent twice, and what was destroyed stays so`,
          () => restore(there(), [database]),
        );
    };
    // Last, because lost keys stay lost where the log cannot be put back.
    const [keys, others] = [each.filter(isKeys), each.filter((database) => !isKeys(database))];

    restores(others);
    if (FULL)
      rule('all but the keys: the state follows the event log, nothing is sent twice, and all archives remain', () =>
        restore(
          there(),
          DATABASES.filter((database) => !isKeys(database)),
        ),
      );
    restores(keys);
    rule('all: the state follows the event log, nothing is sent twice, and destroyed keys stay destroyed', () =>
      restore(there(), DATABASES),
    );
  });
}

async function live(start: () => Promise<Service>): Promise<Lived> {
  const world = await openWorld(start);
  try {
    return await withLastWords(world, () => liveIn(world));
  } catch (error) {
    await closeWorld(world);
    throw error;
  }
}

async function liveIn(world: World): Promise<Lived> {
  const { service } = world;
  await warmUp(world);
  const history = new History(world);
  await history.begin();
  const olderKeys = new Set<string>();
  let older: Copies | undefined;
  await service.restart(AFTER, async () => {
    history.heal();
    older = await copiesOf(service.stores);
    for (const kid of (await heldIn(service.stores)).keys) olderKeys.add(kid);
  });
  await history.continueAfterBackup();
  await awaitQuiet(service.stores);
  const answers = await answersAbout(history);
  if (!older) throw new Error('there is no copy');
  return { world, history, older, olderKeys, answers };
}

/** While no process runs. */
async function endOf({ world: { service }, olderKeys }: Lived): Promise<End> {
  const held = await heldIn(service.stores);
  const destroyed = new Set([...olderKeys].filter((kid) => !held.keys.has(kid)));
  if (destroyed.size === 0)
    throw new Error('no key was destroyed after the copy: nothing would be shown of destroyed keys');
  return { copies: 'dataDir' in service.stores ? await copiesOf(service.stores) : undefined, held, destroyed };
}

async function restore(lived: Lived, databases: readonly Database[]): Promise<void> {
  const { world, history, older, answers } = lived;
  const { service } = world;
  const losesKeys = databases.includes('keys');
  await service.restart(AFTER, async () => {
    const { copies, held, destroyed } = (lived.end ??= await endOf(lived));
    await copies?.putBack([...DATABASES, 'log']);
    await older.putBack(databases);
    if (databases.includes('gateway')) await dropAttestations(service.stores);
    // With the settings of the services: it says from when on keys of requests are due.
    const { code, output } = await dsr({ operatorEnv: { ...service.operatorEnv, ...AFTER } }, 'restore');
    // Data under keys that are younger than the copy is lost, and dsr reports it.
    const expected = losesKeys ? 1 : 0;
    expect({ code, output: code === expected ? '' : output }).toEqual({ code: expected, output: '' });
    const restored = await heldIn(service.stores);
    for (const [projection, facts] of Object.entries(held.facts))
      expect(restored.facts[projection]).toMatchObject(facts);
    expect([...restored.keys].filter((kid) => destroyed.has(kid))).toEqual([]);
  });
  await goesOn(world, history);
  const now = await answersAbout(history);
  expect(now.status).toEqual(losesKeys ? withoutNewGroup(answers.status) : answers.status);
  expect(now.heard).toEqual(answers.heard);
  expect(now.attestations).toEqual(answers.attestations);
  if (losesKeys) return;
  expect(now.ledgers).toEqual(answers.ledgers);
  await until(
    'links to answer as before',
    async () => JSON.stringify((await answersAbout(history)).links) === JSON.stringify(answers.links),
  );
}

/**
 * The name of a group is sealed under its request's key: of a request that is younger than the copy it is lost with
 * that. A list is asked for by the name.
 */
const withoutNewGroup = (status: Answers['status']): Answers['status'] => ({
  ...status,
  'new in version 1': (status['new in version 1'] ?? '').replace(/"group_id":"[^"]+"/, '"group_id":null'),
});

/**
 * New requests work for a person with data, also with data after the copy, and for a person who was erased after it.
 */
async function goesOn(world: World, { people }: History): Promise<void> {
  const { controller } = world;
  const watch = watchCallbacks(world);
  const ask = async (person: typeof people.known) => {
    const body = requestBody({ subject_identities: identitiesOf(person), status_callback_urls: [watch.url] });
    expect((await controller.create(body)).status).toBe(201);
    return awaitResult(controller, body.subject_request_id);
  };
  const erased = Promise.all([ask(people.erasedEarly), ask(people.erasedLate)]);
  await until('what came after the copy', async () => {
    const { archive } = await ask(people.known);
    const events = archive?.get('events-001.jsonl')?.toString() ?? '';
    return (
      archive?.get('profile.jsonl')?.toString().includes(`${world.planted.text}-new`) === true &&
      events.split('\n').length === 3
    );
  });
  expect((await erased).map(({ status }) => status)).toEqual([404, 404]);
  await until('callbacks of a new request', () => watch.statuses().length === 3);
  const deliveries = watch.seen.map(
    ({ body: { subject_request_id, request_status } }) => `${subject_request_id} ${request_status}`,
  );
  expect(new Set(deliveries).size).toBe(deliveries.length);
}

import { until } from '../receiver/until';
import { requestBody, send, json } from './controller';
import { awaitEnds, awaitResult, awaitStatus } from './follow';
import { copyOf, heldOf } from './rollback';
import { ingestPersonFully, FULL_PERSON_MS } from './ingest-person-fully';
import { identitiesOf, somebody, ingestPerson, type Person, type Rule, type World } from './world';

const PEOPLE = 12;

const requestOf = (person: Person, type: 'access' | 'erasure') =>
  requestBody({ subject_request_type: type, subject_identities: identitiesOf(person) });

/** The link of an archive about a person, and its request. */
async function archived({ controller }: World, person: Person): Promise<{ link: string; srid: string }> {
  const body = requestOf(person, 'access');
  expect((await controller.create(body)).status).toBe(201);
  const { record, status } = await awaitResult(controller, body.subject_request_id);
  expect(status).toBe(200);
  return { link: record.results_url ?? '', srid: body.subject_request_id };
}

async function erase({ controller }: World, person: Person): Promise<void> {
  const body = requestOf(person, 'erasure');
  expect((await controller.create(body)).status).toBe(201);
  await awaitStatus(controller, body.subject_request_id, 'completed');
}

/** An erasure by an archive that existed before. */
export function erasedArchiveRule(rule: Rule): void {
  rule(
    'an erasure removes the archives of the person, and the same identities then make a new person',
    async (world) => {
      const person = somebody(world);
      const before = await ingestPerson(world, person);
      const { link } = await archived(world, person);
      await erase(world, person);
      const gone = await send(link);
      expect([gone.status, json<{ code: number }>(gone).code]).toEqual([410, 410]);
      const after = await ingestPerson(world, person);
      expect(after).not.toBe(before);
      await archived(world, person);
      expect((await send(link)).status).toBe(410);
    },
  );
}

/**
 * The remains of a person after kills and restores (decision 4; protocol, "What erasure removes"). The last rule
 * restores old databases, so it comes late.
 */
export function erasureRules(rule: Rule): void {
  killRule(rule);
  copiesRule(rule);
}

/** It restarts the gateways with a short time for the keys of ended requests, which the rules behind it would race. */
export function requestKeyRule(rule: Rule): void {
  rule(
    'the key of an ended request is destroyed after its time, with the sealed fields of the gateway',
    async (world) => {
      const { controller, service } = world;
      // It waits long enough to be read before its start.
      await service.restartGateways({ ACCESS_WAIT_MS: '5000', REQUEST_KEY_KEEP_MS: '500ms', SWEEP_POLL_MS: '100ms' });
      const person = somebody(world);
      const body = requestOf(person, 'access');
      expect((await controller.create(body)).status).toBe(201);
      const whole = await heldOf(service.stores, { mpid: '0', srid: body.subject_request_id });
      expect(whole.found.sort()).toEqual(['request', 'request key']);
      await awaitStatus(controller, body.subject_request_id, 'completed');
      await until('the key of the request to be gone', async () => (await whole.again()).found.length === 0);
      expect((await controller.status(body.subject_request_id)).request_status).toBe('completed');
    },
  );
}

function copiesRule(rule: Rule): void {
  rule(
    'older copies of every database that are restored give no data of an erased person back',
    async (world) => {
      const { controller, service } = world;
      const person = somebody(world);
      const mpid = await ingestPersonFully(world, person);
      const { link, srid } = await archived(world, person);
      let putBack = (): Promise<void> => Promise.reject(new Error('there is no copy'));
      await service.restart({}, async () => void (putBack = await copyOf(service.stores)));
      const held = await heldOf(service.stores, { mpid, srid });
      expect(held.found.sort()).toEqual([
        'archive',
        'archive key',
        'batches',
        'chunks',
        'identities',
        'profile',
        'request',
        'request key',
        'subject key',
      ]);

      await erase(world, person);
      expect((await send(link)).status).toBe(410);
      await service.restart({}, putBack);
      expect((await send(link)).status).toBe(410);
      // The request for the archive has ended a moment ago: its own key has its time yet.
      expect((await held.again()).found.sort()).toEqual(['request', 'request key']);
      const later = requestOf(person, 'access');
      expect((await controller.create(later)).status).toBe(201);
      expect((await awaitResult(controller, later.subject_request_id)).status).toBe(404);
    },
    FULL_PERSON_MS,
  );
}

function killRule(rule: Rule): void {
  rule('killed during erasures, it completes each of them, and no person remains', async (world) => {
    const { controller, service } = world;
    const people = Array.from({ length: PEOPLE }, () => somebody(world));
    await Promise.all(people.map((person) => ingestPerson(world, person)));
    const erasures = people.map((person) => requestOf(person, 'erasure'));
    for (const body of erasures) expect((await controller.create(body)).status).toBe(201);
    await awaitStatus(controller, erasures[0]?.subject_request_id ?? '', 'in_progress');
    await service.crash();
    await awaitEnds(
      controller,
      erasures.map(({ subject_request_id }) => subject_request_id),
    );
    const accesses = people.map((person) => requestOf(person, 'access'));
    for (const body of accesses) expect((await controller.create(body)).status).toBe(201);
    const results = await Promise.all(
      accesses.map(({ subject_request_id }) => awaitResult(controller, subject_request_id)),
    );
    expect(results.map(({ status }) => status)).toEqual(people.map(() => 404));
  });
}

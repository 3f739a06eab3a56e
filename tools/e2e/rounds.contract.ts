import { createHash } from 'node:crypto';
import { until } from '../receiver/until';
import { signatureFaults } from '../receiver/verification';
import { linesOf } from './archive';
import { entries } from './callback-ledger';
import { watchCallbacks } from './callback-watch';
import { json, requestBody, send, type Receipt } from './controller';
import { awaitResult, awaitStatus } from './follow';
import { COMPLETION_ESTIMATE_MS } from './service';
import { ingestPersonFully, FULL_PERSON_MS } from './ingest-person-fully';
import { identitiesOf, somebody, ingestPerson, type Rule, type World } from './world';

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const callbackKeys = [
  'controller_id',
  'expected_completion_time',
  'status_callback_url',
  'subject_request_id',
  'request_status',
  'api_version',
  'results_url',
  'extensions',
];
const statusKeys = [
  'controller_id',
  'expected_completion_time',
  'subject_request_id',
  'group_id',
  'request_status',
  'api_version',
  'results_url',
  'extensions',
];

/** A body with identities in the list and in our extension, and with a foreign extension. */
function accessBody({ service, planted }: World, person: ReturnType<typeof somebody>, more: object = {}) {
  const [domain = ''] = service.trust.domains;
  const extensions = {
    [domain]: { identities: [{ identity_type: 'other', identity_value: `${planted.text}-other` }] },
    'else.example': { note: planted.text },
  };
  return requestBody({ subject_identities: identitiesOf(person), extensions, ...more });
}

/** Whole lives of requests (protocol, "States and transitions", "Status callbacks", "Results download"). */
export function roundRules(rule: Rule): void {
  rule(
    'an access request gives a receipt, three callbacks in order, none ahead of GET, and an archive',
    async (world) => {
      const { controller, service } = world;
      const person = somebody(world);
      const mpid = await ingestPersonFully(world, person);
      const watch = watchCallbacks(world);
      const body = accessBody(world, person, { status_callback_urls: [watch.url] });
      const id = body.subject_request_id;

      const answer = await controller.create(body);
      // Before anything else, for it is pending no longer than its wait.
      const pending = await controller.status(id);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(
        await signatureFaults(answer.body, (name) => answer.headers.get(name) ?? undefined, service.trust),
      ).toEqual([]);
      const receipt = json<Receipt>(answer);
      expect(Object.keys(receipt).sort()).toEqual([
        'controller_id',
        'encoded_request',
        'expected_completion_time',
        'received_time',
        'subject_request_id',
      ]);
      expect(Buffer.from(receipt.encoded_request ?? '', 'base64').toString()).toBe(JSON.stringify(body));
      expect(receipt.subject_request_id).toBe(id);
      expect(receipt.received_time).toMatch(RFC_3339_UTC);
      expect(Date.parse(receipt.expected_completion_time ?? '') - Date.parse(receipt.received_time)).toBeGreaterThan(
        COMPLETION_ESTIMATE_MS,
      );

      expect(Object.keys(pending)).toEqual(statusKeys);
      expect(pending).toMatchObject({
        controller_id: receipt.controller_id,
        group_id: null,
        request_status: 'pending',
        api_version: '2.0',
        results_url: null,
        extensions: null,
      });
      expect(pending.expected_completion_time).toBe(receipt.expected_completion_time);

      const { record, status, archive } = await awaitResult(controller, id);
      expect(record.results_url?.startsWith(`${service.trust.baseUrl}/v2/results/`)).toBe(true);
      expect(status).toBe(200);
      checkArchive(archive ?? new Map<string, Buffer>(), { mpid, colour: person.colour });

      await until('three callbacks', () => watch.statuses().length === 3);
      expect(watch.seen.flatMap(({ faults }) => faults)).toEqual([]);
      expect(watch.statuses()).toEqual(['pending', 'in_progress', 'completed']);
      expect(watch.seen.every(({ shown }) => shown)).toBe(true);
      for (const { body: callback } of watch.seen) {
        expect(Object.keys(callback)).toEqual(callbackKeys);
        expect(callback).toMatchObject({
          controller_id: receipt.controller_id,
          subject_request_id: id,
          api_version: '2.0',
          extensions: null,
        });
        expect(callback.results_url).toBe(callback.request_status === 'completed' ? record.results_url : null);
      }
    },
    FULL_PERSON_MS,
  );

  rule('an archive comes as a zip under a link that needs no credentials and tolerates them', async (world) => {
    const { controller } = world;
    const person = somebody(world);
    await ingestPerson(world, person);
    const body = accessBody(world, person, { subject_request_type: 'access' });
    await controller.create(body);
    const { record, answer } = await awaitResult(controller, body.subject_request_id);
    expect(answer?.headers.get('content-type')).toBe('application/zip');
    const withCredentials = await send(record.results_url ?? '', { headers: { authorization: 'Basic bm90OnJpZ2h0' } });
    expect(withCredentials.status).toBe(200);
    const forged = `${record.results_url?.slice(0, -3) ?? ''}AAA`;
    expect((await send(forged)).status).toBe(404);
  });

  rule('an access for unknown identities is completed, and its link answers 404 in the error body', async (world) => {
    const body = accessBody(world, somebody(world));
    await world.controller.create(body);
    const { status, answer } = await awaitResult(world.controller, body.subject_request_id);
    expect(status).toBe(404);
    expect(answer && json<object>(answer)).toMatchObject({ code: 404, errors: [expect.anything()] });
  });

  refusedCallbackRule(rule);
}

/** A whole erasure, by what accesses answer before and after it. */
export function erasureRoundRule(rule: Rule): void {
  rule(
    'an erasure removes only that person: a later access finds nothing',
    async (world) => {
      const { controller } = world;
      const [erased, other] = [somebody(world), somebody(world)];
      await Promise.all([ingestPersonFully(world, erased), ingestPerson(world, other)]);
      const before = requestBody({ subject_identities: identitiesOf(erased) });
      await controller.create(before);
      expect((await awaitResult(controller, before.subject_request_id)).archive?.has('events-001.jsonl')).toBe(true);

      const watch = watchCallbacks(world);
      const erasure = requestBody({
        subject_request_type: 'erasure',
        subject_identities: identitiesOf(erased),
        status_callback_urls: [watch.url],
      });
      expect((await controller.create(erasure)).status).toBe(201);
      expect((await awaitStatus(controller, erasure.subject_request_id, 'completed')).results_url).toBeNull();

      const [after, others] = [erased, other].map((person) =>
        requestBody({ subject_identities: identitiesOf(person) }),
      );
      await Promise.all([after, others].map((body) => controller.create(body ?? {})));
      expect((await awaitResult(controller, after?.subject_request_id ?? '')).status).toBe(404);
      expect((await awaitResult(controller, others?.subject_request_id ?? '')).status).toBe(200);
      await until('the callbacks of the erasure', () => watch.statuses().length === 3);
      expect(watch.seen.flatMap(({ faults }) => faults)).toEqual([]);
    },
    FULL_PERSON_MS,
  );
}

function refusedCallbackRule(rule: Rule): void {
  rule(
    'a refused callback is sent again before later ones, for each address alone, and 410 ends them',
    async (world) => {
      const { controller } = world;
      const moody = watchCallbacks(world, (_callback, earlier) => ({ status: earlier.length === 0 ? 500 : 200 }));
      const leaving = watchCallbacks(world, () => ({ status: 410 }));
      const body = accessBody(world, somebody(world), { status_callback_urls: [moody.url, leaving.url] });
      await controller.create(body);
      await until('the callbacks that were sent again', () => moody.statuses().length === 3);
      const left = await until('all that the leaving one waits for to be given up', async () => {
        const all = (await entries(controller, body.subject_request_id)).filter(
          ({ status_callback_url: url }) => url === leaving.url,
        );
        return all.length === 3 && all.every(({ state }) => state === 'given_up') && all;
      });
      expect(left.map(({ request_status, reason }) => [request_status, reason])).toEqual([
        ['pending', 'gone'],
        ['in_progress', 'gone'],
        ['completed', 'gone'],
      ]);
      expect([...moody.seen, ...leaving.seen].flatMap(({ faults }) => faults)).toEqual([]);
      const [first, second] = moody.seen.map(({ body }) => body.request_status);
      expect([first, second]).toEqual(['pending', 'pending']);
      expect(moody.statuses()).toEqual(['pending', 'in_progress', 'completed']);
      expect(leaving.withoutRepeats().map(({ body }) => body.request_status)).toEqual(['pending']);
    },
  );
}

/** The archive has the files of its manifest, with the ingested data. */
function checkArchive(archive: ReadonlyMap<string, Buffer>, { mpid, colour }: { mpid: string; colour: string }): void {
  expect([...archive.keys()].sort()).toEqual(['events-001.jsonl', 'manifest.json', 'profile.jsonl']);
  expect(archive.get('profile.jsonl')?.toString()).toContain(mpid);
  expect(linesOf(archive.get('profile.jsonl'))).toEqual([expect.objectContaining({ user_attributes: { colour } })]);
  expect(linesOf(archive.get('events-001.jsonl'))).toEqual([
    expect.objectContaining({
      events: [{ event_type: 'custom_event', data: { event_name: 'visit', custom_attributes: { colour } } }],
    }),
  ]);
  const manifest = archive.get('manifest.json')?.toString() ?? '';
  for (const name of ['profile.jsonl', 'events-001.jsonl']) {
    expect(manifest).toContain(
      createHash('sha256')
        .update(archive.get(name) ?? '')
        .digest('hex'),
    );
  }
}

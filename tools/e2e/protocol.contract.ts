import { randomUUID } from 'node:crypto';
import { fetchCertificate, signatureFaults } from '../receiver/verification';
import { json, raw, requestBody, send, type Answer, type Receipt, type StatusRecord } from './controller';
import { awaitStatus } from './follow';
import { identitiesOf, somebody, type Rule, type World } from './world';

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly errors: readonly { readonly domain: string; readonly reason: string; readonly message: string }[];
}

/** The interface's error body, whole, with this status; answers its first named fault. */
function faultOf(answer: Answer, status: number): ErrorBody['errors'][number] | undefined {
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status, type: 'application/json; charset=utf-8' });
  const body = json<ErrorBody>(answer);
  expect(body).toEqual({ code: status, message: expect.any(String) as string, errors: expect.any(Array) as unknown[] });
  for (const error of body.errors) expect(Object.keys(error).sort()).toEqual(['domain', 'message', 'reason']);
  return body.errors[0];
}

const invalidOperation = { reason: 'InvalidOperationException', domain: 'Validation' };

/** A request that stays pending through any test. */
const waiting = (world: World, more: object = {}) => requestBody({ subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), ...more });

async function admit({ controller }: World, body: object): Promise<void> {
  expect((await controller.create(body)).status).toBe(201);
}

/** What single calls are answered with (interface.md, "Endpoints", "Authentication", "Errors"). */
export function protocolRules(rule: Rule): void {
  discoveryRules(rule);
  refusalRules(rule);
  cancelRules(rule);
  listingRules(rule);
}

function discoveryRules(rule: Rule): void {
  rule('discovery and the certificate need no credentials and tolerate wrong ones, with and without a trailing slash', async ({ service }) => {
    const url = `${service.trust.baseUrl}/v2/discovery`;
    const answers = await Promise.all([send(url), send(`${url}/`), send(url, { headers: { authorization: 'Basic bm90OnJpZ2h0' } })]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(json<object>(answer)).toMatchObject({ api_version: '2.0', supported_subject_request_types: ['access', 'erasure', 'portability'] });
    }
    const { supported_identities: identities } = json<{ supported_identities: { identity_type: string; identity_format: string }[] }>(answers[0]);
    expect(identities).toHaveLength(11);
    expect(identities).toContainEqual({ identity_type: 'roku_publisher_id', identity_format: 'raw' });
    expect((await fetchCertificate(service.trust.baseUrl)).pem).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  rule('every answer about requests is signed: create, status, list and cancel', async (world) => {
    const { controller, service } = world;
    const body = waiting(world, { group_id: randomUUID() });
    const id = body.subject_request_id;
    const answers = [await controller.create(body), await controller.read(id), await controller.call('GET', `/v2/requests?group_id=${String(body.group_id)}`), await controller.cancel(id)];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 202]);
    for (const answer of answers) {
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await signatureFaults(answer.body, (name) => answer.headers.get(name) ?? undefined, service.trust)).toEqual([]);
    }
  });

  rule('a trailing slash makes no difference', async (world) => {
    const { controller } = world;
    for (const slash of ['', '/']) {
      const body = waiting(world);
      const path = `/v2/requests/${body.subject_request_id}${slash}`;
      const answers = [await controller.call('POST', `/v2/requests${slash}`, JSON.stringify(body)), await controller.call('GET', path), await controller.call('GET', `/v2/requests${slash}?group_id=none`), await controller.call('DELETE', path)];
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 202]);
    }
  });
}

function refusalRules(rule: Rule): void {
  rule('no credentials and wrong ones are 401 on every call about requests', async ({ controller, service }) => {
    const wrong = `Basic ${Buffer.from(`${service.key}:wrong`).toString('base64')}`;
    const calls: [string, string, string?][] = [['POST', '/v2/requests', '{}'], ['GET', `/v2/requests/${randomUUID()}`], ['GET', '/v2/requests?group_id=g'], ['DELETE', `/v2/requests/${randomUUID()}`]];
    for (const authorization of ['', 'Basic', 'Bearer x', 'Basic !', wrong]) {
      for (const [method, path, body] of calls) faultOf(await controller.call(method, path, body, { authorization }), 401);
    }
  });

  rule('an id that nobody has is 404, and so is what cannot be an id and an address that does not exist', async ({ controller }) => {
    for (const id of [randomUUID(), 'not-an-id', '%00']) {
      faultOf(await controller.read(id), 404);
      faultOf(await controller.cancel(id), 404);
    }
    faultOf(await controller.call('GET', '/v2/elsewhere'), 404);
  });

  rule('a body that is not valid is 400 and the faults are named, without what was sent', async (world) => {
    const { controller, planted } = world;
    const changes: object[] = [
      { regulation: planted.text },
      { regulation: undefined },
      { subject_request_id: planted.text },
      { subject_request_type: planted.text },
      { submitted_time: planted.text },
      { subject_identities: [{ ...raw('email', planted.text), identity_format: 'sha256' }] },
      { subject_identities: [raw(planted.text, 'x')] },
      { subject_identities: [raw('other', planted.text)] },
      { subject_identities: [] },
      { status_callback_urls: [`http://callbacks.example/${planted.text}`] },
      { status_callback_urls: [`https://10.0.0.1/${planted.text}`] },
      { api_version: '1.0' },
      { group_id: '' },
    ];
    const bodies = [...changes.map((change) => JSON.stringify(waiting(world, change))), '{', '[]', 'null', ''];
    for (const body of bodies) {
      const answer = await controller.call('POST', '/v2/requests', body);
      expect(faultOf(answer, 400)?.message).toEqual(expect.any(String));
      expect(answer.body.toString()).not.toContain(planted.text);
    }
  });

  rule('a content type other than JSON is 415, a body beyond the limit 413', async (world) => {
    faultOf(await world.controller.call('POST', '/v2/requests', JSON.stringify(waiting(world)), { 'content-type': 'text/plain' }), 415);
    faultOf(await world.controller.create(waiting(world, { note: 'x'.repeat(300_000) })), 413);
    expect((await world.controller.call('POST', '/v2/requests', JSON.stringify(waiting(world)), { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(201);
  });

  rule('an id that exists is 400, whatever else the body says', async (world) => {
    const body = waiting(world);
    await admit(world, body);
    for (const again of [body, waiting(world, { subject_request_id: body.subject_request_id }), { ...body, subject_request_id: body.subject_request_id.toUpperCase() }]) {
      expect(faultOf(await world.controller.create(again), 400)).toMatchObject(invalidOperation);
    }
  });

  rule('the same request is 409 while one is pending or in progress, and no longer once that one is cancelled', async (world) => {
    const first = waiting(world);
    const again = () => ({ ...first, subject_request_id: randomUUID(), subject_identities: [...(first.subject_identities as object[])].reverse() });
    await admit(world, first);
    faultOf(await world.controller.create(again()), 409);
    await admit(world, { ...again(), subject_request_type: 'erasure' });
    expect((await world.controller.cancel(first.subject_request_id)).status).toBe(202);
    await admit(world, again());
    faultOf(await world.controller.create(again()), 409);
  });

  rule('the same request is 409 until the first is completed, and no longer', async (world) => {
    const first = requestBody({ subject_identities: identitiesOf(somebody(world)) });
    const again = () => ({ ...first, subject_request_id: randomUUID() });
    await admit(world, first);
    faultOf(await world.controller.create(again()), 409);
    await awaitStatus(world.controller, first.subject_request_id, 'completed');
    await admit(world, again());
  });
}

function cancelRules(rule: Rule): void {
  rule('a pending request can be cancelled once: 202 without a time, then GET with one, then 400', async (world) => {
    const body = waiting(world);
    await admit(world, body);
    const answer = await world.controller.cancel(body.subject_request_id);
    expect(answer.status).toBe(202);
    const receipt = json<Receipt>(answer);
    expect(Object.keys(receipt).sort()).toEqual(['controller_id', 'expected_completion_time', 'received_time', 'subject_request_id']);
    expect(receipt).toMatchObject({ expected_completion_time: null, subject_request_id: body.subject_request_id });
    const { request_status, expected_completion_time } = await world.controller.status(body.subject_request_id);
    expect(request_status).toBe('cancelled');
    expect(new Date(expected_completion_time).toISOString()).toBe(expected_completion_time);
    expect(faultOf(await world.controller.cancel(body.subject_request_id), 400)).toMatchObject(invalidOperation);
  });

  rule('a completed request cannot be cancelled', async (world) => {
    const body = requestBody({ subject_identities: identitiesOf(somebody(world)) });
    await admit(world, body);
    await awaitStatus(world.controller, body.subject_request_id, 'completed');
    expect(faultOf(await world.controller.cancel(body.subject_request_id), 400)).toMatchObject(invalidOperation);
  });
}

function listingRules(rule: Rule): void {
  rule('a group lists its requests and no others; an unknown one is empty, none named is 400', async (world) => {
    const { controller } = world;
    const group = `${randomUUID()} & co`;
    const bodies = [waiting(world, { group_id: group }), waiting(world, { group_id: group }), waiting(world, { group_id: randomUUID() }), waiting(world)];
    for (const body of bodies) await admit(world, body);
    const list = (query: string) => controller.call('GET', `/v2/requests${query}`);
    const records = json<StatusRecord[]>(await list(`?group_id=${encodeURIComponent(group)}`));
    expect(records.map(({ subject_request_id: id }) => id).sort()).toEqual(bodies.slice(0, 2).map(({ subject_request_id: id }) => id).sort());
    expect(records.map(({ group_id }) => group_id)).toEqual([group, group]);
    expect(json<unknown>(await list(`?group_id=${randomUUID()}`))).toEqual([]);
    for (const query of ['', '?group_id=']) faultOf(await list(query), 400);
  });
}

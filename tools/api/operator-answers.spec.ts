import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as gateway from '@opendsr-service/gateway/testing';
import { repository } from '../e2e/repository';
import { ApiContract, received } from './testing/contract';
import { routesOf } from './routes';

const ROOT = '/operator/v1';
const document = JSON.parse(readFileSync(repository('apps/gateway/src/openapi/operator.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};
const contract = new ApiContract(document);

describe('the operator’s API of a sandbox', () => {
  let world: gateway.World;
  let service: gateway.Service;
  let session: Record<string, string> = {};
  beforeAll(async () => {
    world = await gateway.World.open();
    service = await gateway.Service.start(world, { OPERATOR_PORT: '0', ACCESS_WAIT_MS: '7d' });
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  /** Fails where an answer is not as the document has it. */
  async function held(method: string, path: string, headers: Record<string, string> = session, body?: object) {
    const answering = fetch(`${service.operatorUrl}${ROOT}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await received(answering);
    expect(contract.faultsOfAnswer(method, `${ROOT}${path}`, answer)).toEqual([]);
    return answer;
  }
  const statusOf = async (...call: Parameters<typeof held>) => (await held(...call)).status;

  it('has every route in its document, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = service.controllers.flatMap(routesOf).filter((route) => route.includes(' /operator/'));
    expect(routes.toSorted()).toEqual(described.toSorted());
  });

  it('answers as its document says, from the link to the sign-out', async () => {
    expect(await statusOf('GET', '/session')).toBe(401);
    expect(await statusOf('GET', '/sign-in')).toBe(404);
    expect(await statusOf('GET', '/sign-in/callback')).toBe(404);
    expect(await statusOf('GET', '/sign-in/link?token=x')).toBe(401);
    const signedIn = await held('GET', `/sign-in/link?token=${service.linkToken}`);
    const { csrf_token: token } = JSON.parse(signedIn.body.toString()) as { csrf_token: string };
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    session = { cookie, 'x-csrf-token': token };
    expect(await statusOf('GET', '/session')).toBe(200);
    expect(await statusOf('DELETE', '/session', { cookie })).toBe(403);

    const id = randomUUID();
    const created = await service.call('POST', '/v2/requests', {
      body: {
        ...{ regulation: 'gdpr', subject_request_id: id, subject_request_type: 'access', submitted_time: '2026-11-20' },
        subject_identities: [{ identity_type: 'email', identity_value: 'ann@example.com', identity_format: 'raw' }],
        status_callback_urls: ['https://a.example.com/callbacks'],
      },
    });
    expect(created.status).toBe(201);
    const path = `/requests/sandbox/${id}`;
    for (const read of ['/requests', '/requests?order=due&limit=1', '/request-counts', path, `${path}/callbacks`])
      expect(await statusOf('GET', read)).toBe(200);
    expect(await statusOf('GET', '/requests?limit=0')).toBe(400);
    expect(await statusOf('GET', `/requests/sandbox/${randomUUID()}`)).toBe(404);

    const body = { reason: 'The controller asked for it.' };
    expect(await statusOf('POST', `${path}/cancellation`, session, body)).toBe(428);
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': '"x"' }, body)).toBe(412);
    const tag = (await held('GET', path)).headers.get('etag') ?? '';
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': tag }, {})).toBe(400);
    expect(await statusOf('POST', `${path}/cancellation`, { ...session, 'if-match': tag }, body)).toBe(200);
    const after = { ...session, 'if-match': (await held('GET', path)).headers.get('etag') ?? '' };
    expect(await statusOf('POST', `${path}/cancellation`, after, body)).toBe(409);
    expect(await statusOf('POST', `${path}/extension`, after, body)).toBe(409);
    expect(await statusOf('POST', `${path}/participants/crm/waiver`, session, body)).toBe(404);
    expect(await statusOf('POST', `${path}/callbacks/${randomUUID()}/replay`, session, body)).toBe(404);
    expect(await statusOf('DELETE', '/sessions')).toBe(204);
    expect(await statusOf('GET', '/session')).toBe(401);
  });
});

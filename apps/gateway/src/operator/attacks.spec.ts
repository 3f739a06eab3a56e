import 'reflect-metadata';
import { rolesFor } from '@opendsr-service/operator-access';
import document from '../openapi/operator.json';
import { neededBy, type Needed } from './access/needs';
import { operatorControllers } from './operator-controllers.wiring';
import { OperatorWorld } from './testing/operator-world';

const ALL_ROLES = rolesFor('read');
const UNKNOWN = '475974fa-6b42-4370-bb56-b5d845686bb5';
const IDLE_MS = 30 * 60_000;

interface Operation {
  readonly operationId: string;
  readonly 'x-needs': Needed;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/**
 * What an operation whose path names no workspace shows to a role in one: what everybody may see, or only the caller; nothing at all; of a
 * list, its part of that workspace; of single records, those of that workspace, whose specs have records of two.
 */
const SCOPES: Readonly<Record<string, 'same' | 'refused' | 'part' | 'records'>> = {
  ...{ readSession: 'same', signOut: 'same', signOutEverywhere: 'same', readTransparency: 'same' },
  ...{ readSystem: 'refused', listParticipants: 'refused' },
  ...{ readOverview: 'part', listOperatorRequests: 'part', countOperatorRequests: 'part', listWorkspaces: 'part' },
  ...{ listReveals: 'part', listOperatorAudit: 'part', listDestinations: 'part', listParked: 'part' },
  // operator-reveals.spec.ts, operator-changes.spec.ts, operator-services.spec.ts
  ...{ approveReveal: 'records', watchOperatorChanges: 'records', readParked: 'records' },
  ...{ redriveOne: 'records', redriveMany: 'records', dropParked: 'records', dropMany: 'records' },
};

/** Every operation of the document, as calls about a request that does not exist in a workspace that does. */
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
    ...{ operationId: operation.operationId, needs: operation['x-needs'], method: method.toUpperCase() },
    path: path
      .slice('/operator/v1'.length)
      .replaceAll('{ws}', 'acme')
      .replaceAll(/\{\w+\}/g, UNKNOWN),
    isOfWorkspace: path.includes('{ws}'),
    parameters: operation.parameters?.flatMap((one) => (one.in === 'query' ? one.name : [])) ?? [],
  })),
);
const isGuarded = ({ needs }: (typeof operations)[number]) => needs !== 'nothing';
const isChange = ({ method }: (typeof operations)[number]) => method !== 'GET';
const named = (some: typeof operations) => some.map((one) => [one.operationId, one] as const);

let world: OperatorWorld;
/** In the workspace `sandbox`. */
let id: string;
beforeAll(async () => {
  world = await OperatorWorld.open({ RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' });
  id = await world.request({ group_id: 'family' });
});
afterAll(() => world.close());

const reasonOf = async (answer: Response) =>
  ((await answer.json()) as { errors: { reason: string }[] }).errors.map(({ reason }) => reason);

it('knows every route of the controllers, and what each says that it needs', () => {
  const handlers = operatorControllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype)
      .map((name) => prototype[name] as object)
      .filter((handler) => Reflect.hasMetadata('method', handler));
  });
  expect(handlers.map(neededBy).sort()).toEqual(operations.map(({ needs }) => needs).sort());
});

describe('a read with parameters', () => {
  const reads = operations.filter((one) => isGuarded(one) && one.parameters.length > 0);
  const faultsOf = async ({ path, parameters }: (typeof operations)[number], more: readonly string[]) => {
    const query = [...parameters, ...more].join('=x&');
    const answer = await world.call('GET', `${path}?${query}=x`, { groups: ['admin'] });
    // Some take any text.
    expect([200, 400]).toContain(answer.status);
    return answer.text();
  };
  const UNKNOWN_PARAMETER = 'a parameter that this list does not know';

  it.each(named(reads))('%s knows those of the document', async (_id, read) => {
    expect(await faultsOf(read, [])).not.toContain(UNKNOWN_PARAMETER);
  });

  // It has one parameter, and reads no other.
  const lists = reads.filter(({ operationId }) => operationId !== 'countOperatorRequests');
  it.each(named(lists))('%s knows no other', async (_id, read) => {
    expect(await faultsOf(read, ['nonsense'])).toContain(UNKNOWN_PARAMETER);
  });
});

describe('operations whose path names no workspace', () => {
  const scoped = operations.filter((one) => isGuarded(one) && !one.isOfWorkspace);
  const those = (scope: string) => named(scoped.filter(({ operationId }) => SCOPES[operationId] === scope));

  it('have a rule each', () => {
    expect(Object.keys(SCOPES).sort()).toEqual(scoped.map(({ operationId }) => operationId).sort());
  });

  it.each(those('refused'))('%s is refused to a role in one', async (_id, { method, path, needs }) => {
    for (const role of allowed(needs))
      expect((await world.call(method, path, { groups: [`${role}@acme`] })).status).toBe(403);
  });

  it.each(those('part'))(
    '%s shows a role in one nothing of another',
    async (_id, { method, path, needs, parameters }) => {
      for (const role of allowed(needs)) {
        const groups = [`${role}@acme`];
        const answer = await world.call(method, path, { groups });
        expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('sandbox')]);
        if (parameters.includes('workspace'))
          expect((await world.call(method, `${path}?workspace=sandbox`, { groups })).status).toBe(403);
      }
    },
  );
});

describe.each(named(operations.filter(isGuarded)))('%s', (operationId, { method, path, needs, isOfWorkspace }) => {
  it.each([
    ['no credentials', {}],
    ['an unknown session', { cookie: '__Host-opendsr-operator=x' }],
    ['the key of a workspace', { authorization: 'Basic eDp5' }],
    ['no token', { authorization: 'Bearer x.y.z' }],
  ])('answers 401 to %s, and nothing else', async (_what, headers) => {
    const answer = await world.call(method, path, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await reasonOf(answer)).toEqual(['InvalidCredentialsException']);
  });

  const lower = ALL_ROLES.filter((role) => !allowed(needs).includes(role));
  const foreign = isOfWorkspace ? allowed(needs).map((role) => `${role}@sandbox`) : [];
  it('answers 403 to roles that do not allow it, to those of another workspace, and to none', async () => {
    for (const group of needs === 'session' ? [] : [...lower, ...foreign, 'cooks']) {
      const answer = await world.call(method, path, { groups: [group] });
      expect([group, answer.status, await reasonOf(answer)]).toEqual([group, 403, ['AccessDeniedException']]);
    }
  });

  it('lets in the roles that allow it', async () => {
    const roles = allowed(needs);
    for (const group of [...roles, ...(isOfWorkspace ? roles.map((role) => `${role}@acme`) : [])])
      expectLetIn(await world.call(method, path, { groups: [group] }), operationId);
  });
});

/** Operations of a service that does not run here. */
const ELSEWHERE = ['readDestination'];

/** Whatever becomes of the call, it was not refused, and nothing broke. */
function expectLetIn({ status }: Response, operationId: string): void {
  expect([401, 403]).not.toContain(status);
  expect([operationId, status < 500]).toEqual([operationId, !ELSEWHERE.includes(operationId)]);
}

function allowed(needs: Needed): readonly string[] {
  return needs === 'session' || needs === 'nothing' ? ALL_ROLES : rolesFor(needs);
}

describe.each(named(operations.filter((one) => isGuarded(one) && isChange(one))))(
  '%s by a session',
  (operationId, { method, path }) => {
    it('is refused without the token of the session, or with another’s', async () => {
      const [own, other] = [await world.signIn(['admin']), await world.signIn(['admin'], 'bob')];
      for (const token of [undefined, '', other.csrfToken]) {
        const answer = await world.as(own, method, path, token === undefined ? {} : { 'x-csrf-token': token });
        expect([answer.status, await reasonOf(answer)]).toEqual([403, ['ForgedCallException']]);
      }
      expectLetIn(await world.as(own, method, path, { 'x-csrf-token': own.csrfToken }), operationId);
    });
  },
);

it('answers 401 on every route to a session that has ended', async () => {
  const { browser, csrfToken } = await world.signIn(['admin']);
  expect((await world.as({ browser }, 'GET', '/session')).status).toBe(200);
  world.world.clock.advance(IDLE_MS);
  for (const { method, path } of operations.filter(isGuarded))
    expect((await world.as({ browser }, method, path, { 'x-csrf-token': csrfToken })).status).toBe(401);
});

it('shows nothing of a workspace that no role of the caller reaches, in lists and in counts', async () => {
  const groups = ['viewer@acme'];
  const shown = async (path: string, as: readonly string[]) => {
    const answer = await world.call('GET', path, { groups: as });
    return answer.status === 200 ? ((await answer.json()) as object) : answer.status;
  };
  const nothing = { requests: [], next_cursor: null };
  for (const path of ['/requests', '/requests?order=due', `/requests?id=${id}`, '/requests?controller=sandbox'])
    expect(await shown(path, groups)).toEqual(nothing);
  expect(await shown('/request-counts', groups)).toMatchObject({ open: 0, pending: 0, on_track: 0 });
  expect(await shown('/request-counts', ['viewer@sandbox'])).toMatchObject({ open: 1 });
  // A workspace that does not exist looks like one that does.
  for (const ws of ['sandbox', 'no-such'])
    for (const path of [`/requests?workspace=${ws}`, `/requests?workspace=${ws}&group=family`, `/requests/${ws}/${id}`])
      expect(await shown(path, groups)).toBe(403);
});

it('is on its own port alone, where it has one', async () => {
  for (const port of [world.service.port, world.service.adminPort])
    expect((await fetch(`http://127.0.0.1:${port}/operator/v1/session`)).status).toBe(404);
  expect((await fetch(`${world.service.operatorUrl}/v2/discovery`)).status).toBe(404);
  expect((await fetch(`${world.service.operatorUrl}/metrics`)).status).toBe(404);
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../receiver/until';
import { Controller, json, raw, requestBody, type Answer, type Receipt } from './controller';
import { FULL } from './full';
import { dsr, SANDBOX } from './operator';
import type { Credentials, Service } from './service';
import type { Rule, World } from './world';

const CONTROLLER_ID = '5309';
/** The shortest life of a key; where a machine is too slow to use it before it is over, a second key gets twice of it, and so on. */
const LIFE_S = 30;
const LONGEST_LIFE_S = 120;
const EXPIRED_MS = 2 * LONGEST_LIFE_S * 1_000;

/** Runs the operator's tool; its failure is one of the test, and shows no secret. */
async function operate(service: Service, line: string): Promise<string> {
  const { code, output } = await dsr(service, ...line.split(' '));
  if (code !== 0)
    throw new Error(`dsr ${line} ended with ${String(code)}:\n${output.replace(/dsrs_\S+/g, '(secret)')}`);
  return output;
}

/** The key and the secret that a command shows, each on a line behind its label. */
async function made(service: Service, line: string): Promise<Credentials> {
  const output = await operate(service, line);
  const cut = (label: string) => new RegExp(`^${label} {2}(\\S+)$`, 'm').exec(output)?.[1] ?? '';
  return { key: cut('key'), secret: cut('secret') };
}

const as = ({ service }: World, { key, secret }: Credentials) => new Controller({ ...service, key, secret });
const request = () =>
  requestBody({
    subject_request_type: 'portability',
    subject_identities: [raw('email', `${randomUUID()}@example.com`)],
  });

/** Every kind of call about requests, on each gateway. */
async function requestAnswers(world: World, credentials: Credentials): Promise<Answer[]> {
  const controller = as(world, credentials);
  const id = randomUUID();
  const calls = world.service.baseUrls.map(async () => [
    await controller.list('nobody'),
    await controller.read(id),
    await controller.cancel(id),
    await controller.create(request()),
  ]);
  return (await Promise.all(calls)).flat();
}

const identify = (world: World, credentials: Credentials) =>
  as(world, credentials).ingest('/v1/identify', {
    user_identities: { other: randomUUID() },
    environment: 'production',
  });

/** The statuses of calls about requests, each once, and that of one with data. */
const statuses = async (world: World, credentials: Credentials) => [
  [...new Set((await requestAnswers(world, credentials)).map(({ status }) => status))].sort(),
  (await identify(world, credentials)).status,
];

/** The parts of an answer that a caller can compare, without its own id. */
const wholly = async (world: World, credentials: Credentials) =>
  [...(await requestAnswers(world, credentials)), await identify(world, credentials)].map(
    ({ status, headers, body }) => ({
      status,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      body: body.toString(),
    }),
  );

const unknownTo = (world: World) => wholly(world, { key: 'dsrk_unknown', secret: 'dsrs_unknown' });

const LET_IN = [200, 201, 404];

/** Whether a key lets in: on every gateway by itself, and to data. */
async function letIn({ service }: World, credentials: Credentials): Promise<boolean[]> {
  const gateways = service.baseUrls.map(
    async (url) =>
      (await new Controller({ ...service, ...credentials, baseUrls: [url] }).list('nobody')).status !== 401,
  );
  const data = new Controller({ ...service, ...credentials }).ingest('/v1/search', {
    user_identities: { email: 'nobody@example.com' },
  });
  return Promise.all([...gateways, data.then(({ status }) => status !== 403)]);
}

/** Creates a short-lived key for requests only and uses it before it expires. */
async function usedBriefly(world: World, create: string): Promise<Credentials> {
  const used = [LET_IN, 403];
  for (let lifeS = LIFE_S; ; lifeS *= 2) {
    const begunAtMs = performance.now();
    const brief = await made(world.service, `${create} --scopes dsr --expires-in ${String(lifeS)}s`);
    const seen = await statuses(world, brief);
    const mayBeOver = performance.now() - begunAtMs > lifeS * 1_000;
    if (mayBeOver && lifeS < LONGEST_LIFE_S && !isDeepStrictEqual(seen, used)) continue;
    expect(seen).toEqual(used);
    return brief;
  }
}

/** How long a revoked key may still work, with the time to detect it. */
const KNOWN_MS = 30_000;
const SLACK_MS = 2_000;
/** The longest time of a round of calls that begins in time, with the time before it. */
const PATIENCE_MS = 60_000;
/** Other rules go on meanwhile. */
const GAP_MS = 500;

/** Uses a key everywhere and revokes it. Answers how the wait for its end came out, which goes on meanwhile. */
async function revokeInUse(world: World): Promise<{ readonly ended: Promise<unknown> }> {
  const used = await made(world.service, `keys create --workspace ${SANDBOX}`);
  expect([...new Set(await letIn(world, used))]).toEqual([true]);
  await operate(world.service, `keys revoke --key ${used.key}`);
  const revokedAtMs = performance.now();
  const isOut = async () => {
    // The start of a round counts: a call may be accepted at once and answered late.
    const afterMs = performance.now() - revokedAtMs;
    if (!(await letIn(world, used)).includes(true)) return true;
    if (afterMs > KNOWN_MS + SLACK_MS)
      throw new Error(`a revoked key was let in ${String(Math.round(afterMs))} ms later`);
    return sleep(GAP_MS, false);
  };
  const ended = until('a key that was in use to be refused everywhere', isOut, PATIENCE_MS);
  return { ended: ended.catch((error: unknown) => error) };
}

/**
 * Workspaces and keys that an operator makes while the service runs (docs/workspaces.md). Call what it answers for
 * the rule that others give time to.
 */
export function keyRules(rule: Rule): () => void {
  let revoked: ReturnType<typeof revokeInUse> | undefined;

  rule('a key that is in use can be revoked', async (world) => {
    await (revoked = revokeInUse(world));
  });

  rule(
    'a workspace and its key work at once, for requests and data; during a rotation both keys work',
    async (world) => {
      const { service } = world;
      const ws = `acme-${randomUUID()}`;
      await operate(service, `workspaces create --workspace ${ws} --name ${ws} --controller-id ${CONTROLLER_ID}`);
      const old = await made(service, `keys create --workspace ${ws} --expires-in 90d`);
      const created = await as(world, old).create(request());
      expect([created.status, json<Receipt>(created).controller_id]).toEqual([201, CONTROLLER_ID]);
      expect((await as(world, old).read(json<Receipt>(created).subject_request_id)).status).toBe(200);
      const successor = await made(service, `keys rotate --key ${old.key} --overlap 1h`);
      for (const either of [old, successor]) expect(await statuses(world, either)).toEqual([LET_IN, 200]);
      expect((await as(world, successor).read(json<Receipt>(created).subject_request_id)).status).toBe(200);
    },
  );

  scopeRule(rule);
  // The contract of the credentials shows it in each run.
  if (FULL) expiryRule(rule);

  return () => {
    rule('a revoked key that was in use is refused by every process within 30 s', async (world) => {
      const { ended } = await (revoked ??= revokeInUse(world));
      expect(await ended).toBe(true);
    });
  };
}

function scopeRule(rule: Rule): void {
  rule('a key is valid only for its scopes, and a revoked one is answered like an unknown one', async (world) => {
    const { service } = world;
    const create = `keys create --workspace ${SANDBOX}`;
    const [lost, dataOnly] = await Promise.all([made(service, create), made(service, `${create} --scopes ingest`)]);
    expect(await statuses(world, dataOnly)).toEqual([[401], 200]);
    await operate(service, `keys revoke --key ${lost.key}`);
    const unknown = await unknownTo(world);
    expect([...new Set(unknown.map(({ status }) => status))]).toEqual([401, 403]);
    expect(await wholly(world, lost)).toEqual(unknown);
  });
}

function expiryRule(rule: Rule): void {
  rule('an expired key is answered like an unknown one', async (world) => {
    const brief = await usedBriefly(world, `keys create --workspace ${SANDBOX}`);
    await until('the key to expire', async () => (await as(world, brief).list('nobody')).status === 401, EXPIRED_MS);
    expect(await wholly(world, brief)).toEqual(await unknownTo(world));
  });
}

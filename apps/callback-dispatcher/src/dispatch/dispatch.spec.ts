import { messageId } from '@opendsr-service/contracts';
import { verifySignature } from '@opendsr-service/signing';
import type { Destination } from '../destinations/destination';
import { json, statuses, type Heard } from '../testing/receiver';
import { DAY, eachInAWorld, EXPECTED_AT, LEASE_MS, otherSrid, SECOND, SRID, WS, type World } from '../testing/world';
import { makeIdentity, type Identity } from '../testing/identity';
import { buildCallback, openTarget, type Target } from './build-callback';
import type { TryOutcome } from './outcome';
import { DispatchWorker } from './dispatch.worker';

let identity: Identity;
let world: World;
eachInAWorld((opened, its) => {
  [world, identity] = [opened, its];
});

describe('a callback', () => {
  it('is sent on the tick and not before, signed over its exact bytes, with the headers of its version', async () => {
    await world.admit(['/dsr']);
    expect(await world.worker.runOnce()).toBe(0);
    await world.pass();
    expect(world.receiver.heard).toHaveLength(1);
    const [one] = world.receiver.heard as [Heard];
    expect(one.headers).toMatchObject({
      'content-type': 'application/json',
      'x-opendsr-processor-domain': 'opendsr.localhost',
      'x-delivery-id': messageId((await world.destination())._id, 1),
    });
    expect(
      verifySignature(one.body, String(one.headers['x-opendsr-signature']), identity.signers.v2.certificatePem),
    ).toBe(true);
    expect(one.body.toString()).toBe(
      `{"controller_id":"1402","expected_completion_time":"${EXPECTED_AT}","status_callback_url":"${world.receiver.base}/dsr","subject_request_id":"${SRID}",` +
        '"request_status":"pending","api_version":"2.0","results_url":null,"extensions":null}',
    );
    await world.pass(5);
    expect(world.receiver.heard).toHaveLength(1);
  });

  it('of a completed access request carries the link to its results', async () => {
    await world.admit(['/dsr']);
    await world.begin();
    await world.complete();
    const token = world.keys.linkKeys.tokenFor(WS, SRID);
    await world.pass();
    expect(world.receiver.heard.map((one) => json(one).results_url)).toEqual([
      null,
      null,
      `https://dsr.example/v2/results/${token}`,
    ]);
  });

  it('of a completed erasure carries no results link', async () => {
    await world.admit(['/dsr'], { type: 'erasure' });
    await world.begin();
    await world.complete();
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'completed']);
    expect(json(world.receiver.heard[2] as Heard).results_url).toBeNull();
  });
});

describe('a callback of version 1', () => {
  it('carries the headers, the domain, the signature and the link of that version', async () => {
    await world.admit(['/dsr'], { apiVersion: '1.0' });
    await world.begin();
    await world.complete();
    const token = world.keys.linkKeys.tokenFor(WS, SRID);
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'completed']);
    for (const { headers, body } of world.receiver.heard) {
      expect(headers['x-opengdpr-processor-domain']).toBe('opengdpr.localhost');
      expect(verifySignature(body, String(headers['x-opengdpr-signature']), identity.signers.v1.certificatePem)).toBe(
        true,
      );
      expect(Object.keys(headers).filter((name) => name.startsWith('x-opendsr'))).toEqual([]);
    }
    expect(world.receiver.heard.map((one) => [json(one).api_version, json(one).results_url])).toEqual([
      ['1.0', null],
      ['1.0', null],
      ['1.0', `https://gdpr.example/v1/results/${token}`],
    ]);
  });

  it('waits while its version is not served, publishes that once, and is then sent in order', async () => {
    await world.admit(['/old'], { apiVersion: '1.0' });
    await world.admit(['/new'], { srid: otherSrid(2) });
    await world.begin();
    const before = world.metric('opendsr_callback_attempts_total').postponed ?? 0;
    const without = world.dispatcher({}, { v2: identity.signers.v2 });
    await world.pass(3, without);
    world.clock.advance(8 * DAY);
    await world.pass(1, without);
    expect(world.metric('opendsr_callback_attempts_total').postponed).toBe(before + 1);
    expect(world.receiver.heard.map(({ path }) => path)).toEqual(['/new']);
    expect((await world.destinations()).find(({ srid }) => srid === SRID)).toMatchObject({
      apiVersion: '1.0',
      pending: [{ status: 'pending' }, { status: 'in_progress' }],
    });
    for (const counted of ['tries', 'failingSince', 'past'])
      expect((await world.destinations()).find(({ srid }) => srid === SRID)).not.toHaveProperty(counted);
    const outcomes = (await world.destinations())
      .find(({ srid }) => srid === SRID)
      ?.outbox?.map((event) => ('outcome' in event ? event.outcome : event.type));
    expect(outcomes).toEqual(['postponed']);
    expect(world.lines.join('')).toContain('Callbacks wait until their version of the protocol is served');
    await world.pass(5);
    expect(world.receiver.heard.map((one) => [one.path, json(one).request_status])).toEqual([
      ['/new', 'pending'],
      ['/old', 'pending'],
      ['/old', 'in_progress'],
    ]);
  });

  it('has all its time again once its version is served again, though it failed before', async () => {
    world.receiver.answer = () => 500;
    await world.admit(['/old'], { apiVersion: '1.0' });
    await world.pass();
    const without = world.dispatcher({}, { v2: identity.signers.v2 });
    await world.pass(3, without);
    world.clock.advance(8 * DAY);
    await world.pass();
    expect(world.receiver.heard).toHaveLength(2);
    world.receiver.answer = () => 202;
    await world.pass(3);
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'pending', 'pending']);
  });

  it('is given up if its key is destroyed, even if the version is not served', async () => {
    const kid = await world.admit(['/dsr'], { apiVersion: '1.0' });
    await world.keys.vault.destroy(WS, kid, 'request');
    await world.pass(1, world.dispatcher({}, { v2: identity.signers.v2 }));
    expect((await world.destination()).past?.map(({ reason }) => reason)).toEqual(['key-destroyed']);
  });
});

it('a callback shows outside participants as of its status change, in the same bytes at each attempt', async () => {
  world.receiver.answer = () => (world.receiver.heard.length === 2 ? 500 : 202);
  await world.admit(['/dsr']);
  await world.begin({ extensions: [{ domain: 'crm.example', name: 'crm', status: 'pending', statusMessage: null }] });
  await world.pass(2);
  const [, second, again] = world.receiver.heard as [Heard, Heard, Heard];
  expect(json(second).extensions).toEqual([
    { domain: 'crm.example', name: 'crm', status: 'pending', status_message: null },
  ]);
  expect(again.body.equals(second.body)).toBe(true);
});

describe('the callbacks of a request', () => {
  it('go to each URL in the order of the status changes, each its own, all that wait in one delivery run', async () => {
    await world.admit(['/a', '/b']);
    await world.begin();
    await world.complete();
    await world.pass();
    for (const path of ['/a', '/b']) {
      const here = world.receiver.heard.filter((one) => one.path === path);
      expect(statuses(here)).toEqual(['pending', 'in_progress', 'completed']);
      expect(here.map((one) => json(one).status_callback_url)).toEqual(Array(3).fill(`${world.receiver.base}${path}`));
    }
    expect(new Set(world.receiver.heard.map(({ headers }) => headers['x-delivery-id'])).size).toBe(6);
  });

  it('stop at one that fails, and continue from it', async () => {
    world.receiver.answer = (one) =>
      json(one).request_status === 'in_progress' && world.receiver.heard.length < 3 ? 500 : 202;
    await world.admit(['/dsr']);
    await world.begin();
    await world.complete();
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress']);
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'in_progress', 'completed']);
    expect((await world.destination()).pending).toEqual([]);
  });

  it('that are added during a delivery are sent on the next tick', async () => {
    world.receiver.answer = async () => {
      if (world.receiver.heard.length > 1) return 202;
      const { dueAt } = await world.destination();
      await world.begin();
      expect((await world.destination()).dueAt).toEqual(dueAt);
      return 202;
    };
    await world.admit(['/dsr']);
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending']);
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress']);
    expect(await world.destination()).toMatchObject({ pending: [] });
  });
});

it('a retried callback has the same bytes and id, and a new signature by the current signer', async () => {
  const renewed = await makeIdentity(new Date());
  world.receiver.answer = () => (world.receiver.heard.length === 1 ? 500 : 202);
  await world.admit(['/dsr']);
  await world.pass();
  await world.pass(1, world.dispatcher({}, renewed.signers));
  renewed.remove();
  const [first, second] = world.receiver.heard as [Heard, Heard];
  expect(second.body.equals(first.body)).toBe(true);
  expect(second.headers['x-delivery-id']).toBe(first.headers['x-delivery-id']);
  const isSignedBy = ({ body, headers }: Heard, { signers }: Identity) =>
    verifySignature(body, String(headers['x-opendsr-signature']), signers.v2.certificatePem);
  expect([
    isSignedBy(first, identity),
    isSignedBy(first, renewed),
    isSignedBy(second, identity),
    isSignedBy(second, renewed),
  ]).toEqual([true, false, false, true]);
});

it('a host that its admission does not name gets the keyed label that the gateway would have given it', async () => {
  await world.admit(['/dsr']);
  const { host, ...unnamed } = await world.destination();
  expect(host).toBeDefined();
  expect(await openTarget(unnamed, world.dependencies)).toMatchObject({ host });
});

describe('several dispatchers', () => {
  it('never both send the callbacks of one destination', async () => {
    const others = [world.worker, world.dispatcher(), world.dispatcher()];
    await Promise.all(Array.from({ length: 20 }, (_, n) => world.admit([`/${n}`], { srid: otherSrid(n) })));
    world.clock.advance(SECOND);
    await Promise.all(others.map((one) => world.send(one)));
    expect(world.receiver.heard.map(({ path }) => path).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `/${n}`).sort(),
    );
  });

  it('send the same bytes under the same id when one died between sending and recording', async () => {
    await world.admit(['/dsr']);
    world.clock.advance(SECOND);
    const [claimed] = await world.store.claimDue(world.clock.now(), { limit: 1, leaseMs: LEASE_MS });
    if (!claimed?.pending[0]) throw new Error('nothing was due');
    const target = (await openTarget(claimed, world.dependencies)) as Target;
    await world.client.post(await buildCallback(claimed, claimed.pending[0], target, world.dependencies.linkKeys));
    await world.pass(5);
    expect(world.receiver.heard).toHaveLength(1);
    world.clock.advance(LEASE_MS);
    await world.pass();
    const [first, second] = world.receiver.heard as [Heard, Heard];
    expect(world.receiver.heard).toHaveLength(2);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-delivery-id']).toBe(first.headers['x-delivery-id']);
    expect(await world.store.release(claimed, world.clock.now())).toBe(false);
  });

  it('that stop finish the current attempt and release the rest at once', async () => {
    let stopped: Promise<void> | undefined;
    world.receiver.answer = () => {
      stopped ??= world.worker.stop();
      return 202;
    };
    await world.admit(['/dsr']);
    await world.begin();
    world.clock.advance(SECOND);
    await world.send();
    await stopped;
    expect(statuses(world.receiver.heard)).toEqual(['pending']);
    await world.send(world.dispatcher());
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress']);
  });
});

it('destinations are sent at once up to the limit, and no more', async () => {
  let [open, most, posted] = [0, 0, 0];
  let waiting: (() => void)[] = [];
  // Nobody is answered before three are waiting, so that three must be sent at once for any to end.
  const post = async (): Promise<TryOutcome> => {
    posted += 1;
    most = Math.max(most, ++open);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length < 3) return;
      for (const release of waiting) release();
      waiting = [];
    });
    open -= 1;
    return { kind: 'delivered', status: 202, durationMs: 1 };
  };
  const limited = new DispatchWorker({ ...world, client: { post }, limits: { ...world.limits, concurrency: 3 } });
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => world.admitTo([`https://host${n}.example/`], { srid: otherSrid(n) })),
  );
  world.clock.advance(SECOND);
  while ((await limited.runOnce()) > 0) continue;
  await limited.idle();
  expect([posted, most]).toEqual([12, 3]);
});

it('a destination whose key is destroyed is emptied without sending', async () => {
  const kid = await world.admit(['/dsr']);
  await world.begin();
  await world.keys.vault.destroy(WS, kid, 'request');
  await world.pass(3);
  expect(world.receiver.heard).toEqual([]);
  expect((await world.destination()).past?.map(({ reason }) => reason)).toEqual(['key-destroyed', 'key-destroyed']);
  expect(await world.destination()).not.toHaveProperty('dueAt');
});

it('a destination whose callback cannot be built is rescheduled like a failure, and delays no other', async () => {
  await world.admit(['/bad', '/good']);
  const bad = (await world.destinations())[0] as Destination;
  await world.connection
    .collection<Destination>('destinations')
    .updateOne({ _id: bad._id }, { $set: { url: `${bad.url.slice(0, -8)}AAAAAAA=` } });
  await world.pass();
  expect(world.receiver.heard).toHaveLength(1);
  expect((await world.destinations())[0]).toMatchObject({ tries: 1, pending: [{ v: 1 }] });
});

it('logs never contain the URL or the content of a callback', async () => {
  world.receiver.answer = ({ path }) => (path === '/secret-fails' ? 500 : 202);
  await world.admit(['/secret-path?token=hunt', '/secret-fails']);
  await world.begin();
  await world.pass(3);
  await world.receiver.close();
  await world.pass(5);
  expect(world.lines.length).toBeGreaterThan(4);
  for (const planted of ['secret-', 'hunt', world.receiver.base, 'localhost'])
    expect(world.lines.join('\n')).not.toContain(planted);
});

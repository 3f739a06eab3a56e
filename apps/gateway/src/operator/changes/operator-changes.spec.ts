import 'reflect-metadata';
import { until } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/service';
import { ChangeFeed } from './change-feed';
import { ChangeStreams } from './change-streams';
import { OperatorWorld } from '../testing/operator-world';

const IDLE_MS = 30 * 60_000;

/** Reads a stream until it has this text. */
async function readUntil(answer: Response, text: string): Promise<string> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  for (let seen = ''; ;) {
    const { value, done } = await reader.read();
    seen += Buffer.from(value ?? []).toString();
    if (seen.includes(text)) return seen;
    if (done) throw new Error(`the stream ended after ${seen}`);
  }
}

describe('by HTTP', () => {
  let world: OperatorWorld;
  beforeAll(async () => {
    world = await OperatorWorld.open({ ACCESS_WAIT_MS: '30d' });
  });
  afterAll(() => world.close());

  it('says which requests change, to who may read them', async () => {
    const answer = await world.call('GET', '/changes', { groups: ['viewer@sandbox'] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const foreign = await world.call('GET', '/changes', { groups: ['viewer@acme'] });
    const id = await world.request();
    const seen = await readUntil(answer, id);
    expect(seen).toContain(
      `event: changed\ndata: {"requests":[{"workspace":"sandbox","subject_request_id":"${id}"}],"more":false}\n\n`,
    );
    // The stop of the service ends this one: nothing but its beginning was sent.
    const rest = foreign.text();
    await world.service.stop();
    expect(await rest).toBe('retry: 2000\n\n');
  });
});

describe('a session', () => {
  let world: OperatorWorld;
  beforeAll(async () => {
    world = await OperatorWorld.open();
  });
  afterAll(() => world.close());

  it('ends its streams with a sign-out, here or everywhere, and by time; the process counts those that are open', async () => {
    const open = async (person: string) => {
      const signedIn = await world.signIn(['viewer'], person);
      const answer = await world.as(signedIn, 'GET', '/changes');
      return { signedIn, rest: answer.text() };
    };
    const streams = async (): Promise<string | undefined> => {
      const told = await (await fetch(`http://127.0.0.1:${world.service.adminPort}/metrics`)).text();
      return /^opendsr_operator_streams (\d+)$/m.exec(told)?.[1];
    };
    const [ann, again, bob] = [await open('ann'), await open('ann'), await open('bob')];
    expect(await streams()).toBe('3');
    await world.as(ann.signedIn, 'DELETE', '/session', { 'x-csrf-token': ann.signedIn.csrfToken });
    expect(await ann.rest).toBe('retry: 2000\n\n');
    await until(async () => (await streams()) === '2');
    const elsewhere = await world.signIn(['viewer'], 'ann');
    await world.as(elsewhere, 'DELETE', '/sessions', { 'x-csrf-token': elsewhere.csrfToken });
    await again.rest;
    await until(async () => (await streams()) === '1');
    world.world.clock.advance(IDLE_MS);
    await bob.rest;
    await until(async () => (await streams()) === '0');
  });
});

describe('streams', () => {
  const clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
  const nothing = {
    add: () => Promise.resolve(),
    since: () => Promise.resolve([]),
    removeBefore: () => Promise.resolve(),
  };
  const HOUR_MS = 3_600_000;
  const viewer = (subject: string, lastsMs = HOUR_MS) =>
    ({ subject, grants: [{ role: 'viewer' }], endsAt: new Date(clock.now().getTime() + lastsMs) }) as const;
  let streams: ChangeStreams;
  beforeEach(() => {
    streams = new ChangeStreams(new ChangeFeed(nothing, clock), clock);
  });
  const open = (subject: string) => {
    const stream = streams.start(viewer(subject));
    stream.resume();
    return stream;
  };

  it('are bounded for an operator, and for a process', () => {
    for (let n = 0; n < 10; n += 1) open('ann');
    expect(() => open('ann')).toThrow(expect.objectContaining({ status: 429 }) as Error);
    for (let n = 0; n < 190; n += 1) open(`operator ${n}`);
    expect(() => open('bob')).toThrow(expect.objectContaining({ status: 429 }) as Error);
    streams.endAll();
  });

  it('are kept open by a comment, and end after ten minutes', async () => {
    const stream = streams.start(viewer('ann'));
    const seen: string[] = [];
    stream.on('data', (piece: Buffer) => seen.push(piece.toString()));
    const ended = new Promise((resolve) => stream.once('close', resolve));
    clock.advance(15_000);
    streams.tick();
    clock.advance(600_000);
    streams.tick();
    await ended;
    expect([seen, streams.count]).toEqual([['retry: 2000\n\n', ':\n\n'], 0]);
  });

  it('are closed five seconds after their end where nobody reads it, and get nothing in between', async () => {
    const heard: Parameters<ChangeFeed['listen']>[0][] = [];
    streams = new ChangeStreams({ listen: (listener) => (heard.push(listener), () => undefined) }, clock);
    const unread = streams.start(viewer('ann'));
    const failures: unknown[] = [];
    unread.on('error', (error) => failures.push(error));
    const closed = new Promise((resolve) => unread.once('close', resolve));
    streams.endAll();
    for (const listener of heard) listener({ requests: [{ ws: 'acme', srid: 's1' }], more: false });
    clock.advance(4_999);
    streams.tick();
    expect(unread.destroyed).toBe(false);
    clock.advance(1);
    streams.tick();
    await closed;
    expect([streams.count, failures]).toEqual([0, []]);
  });

  it('end with the token of a machine', async () => {
    const stream = streams.start(viewer('machine', 60_000));
    stream.resume();
    const ended = new Promise((resolve) => stream.once('close', resolve));
    clock.advance(59_000);
    streams.tick();
    expect(streams.count).toBe(1);
    clock.advance(1_000);
    streams.tick();
    await ended;
    expect(streams.count).toBe(0);
  });

  it('end with their sessions, but not one of a session that began while it was asked which are alive', async () => {
    const ofSession = (id: string) => {
      const { subject, grants, endsAt } = viewer(id);
      return streams.start({ subject, grants, session: { id, subject, grants, endsAt, csrfToken: 'x' } });
    };
    const [alive, ended] = [ofSession('alive'), ofSession('ended')];
    ended.resume();
    const closed = new Promise((resolve) => ended.once('close', resolve));
    const began: (typeof ended)[] = [];
    await streams.endWithSessions({
      alive: (ids) => {
        expect(ids).toEqual(['alive', 'ended']);
        began.push(ofSession('late'));
        return Promise.resolve(new Set(['alive']));
      },
    });
    await closed;
    clock.advance(15_000);
    streams.tick();
    for (const stream of [alive, ...began]) expect(String(stream.read())).toBe('retry: 2000\n\n:\n\n');
    expect(streams.count).toBe(2);
    streams.endAll();
  });

  it('are closed where nobody reads what is sent', async () => {
    const feed = new ChangeFeed(nothing, clock);
    const heard: Parameters<ChangeFeed['listen']>[0][] = [];
    streams = new ChangeStreams({ listen: (listener) => (heard.push(listener), feed.listen(listener)) }, clock);
    const stream = streams.start(viewer('ann'));
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const requests = Array.from({ length: 500 }, (_, n) => ({ ws: 'acme', srid: `s${n}` }));
    for (let n = 0; n < 9; n += 1) for (const listener of heard) listener({ requests, more: false });
    await closed;
    expect(streams.count).toBe(0);
  });
});

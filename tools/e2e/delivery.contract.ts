import { randomUUID } from 'node:crypto';
import { Receiver, type Answering, type Callback, type ReceiverAnswer } from '../receiver/receiver';
import { until } from '../receiver/until';
import { callbackFaults } from '../receiver/verification';
import { requestBody } from './controller';
import { freePorts } from './free-ports';
import { identitiesOf, somebody, type Rule, type World } from './world';

const STATUSES = ['pending', 'in_progress', 'completed'];
/** Longer than the first gap of the schedule, so that only the header explains the wait. */
const ASKED_WAIT_S = 2;
const MEBIBYTE = Buffer.alloc(2 ** 20, 'x');
const ENDLESS: Iterable<Buffer> = {
  *[Symbol.iterator]() {
    for (;;) yield MEBIBYTE;
  },
};

const statusesOf = (callbacks: readonly Callback[]): unknown[] =>
  callbacks.map(({ body }) => (JSON.parse(body.toString()) as { request_status: unknown }).request_status);

/** A path of a receiver, answered so. */
function answered(
  receiver: Receiver,
  answering: Answering,
): {
  readonly path: string;
  readonly url: string;
  callbacks(): readonly Callback[];
  delivered(status: string): Promise<void>;
} {
  const path = `/${randomUUID()}`;
  receiver.answer(path, answering);
  const callbacks = () => receiver.received(path);
  return {
    path,
    url: receiver.url(path),
    callbacks,
    delivered: async (status) =>
      void (await until(`the callback of ${status}`, () => statusesOf(callbacks()).includes(status))),
  };
}

const firstly =
  (first: ReceiverAnswer, then: ReceiverAnswer = { status: 202 }): Answering =>
  (_callback, earlier) =>
    earlier.length === 0 ? first : then;

async function create(world: World, ...urls: readonly string[]): Promise<void> {
  const { status } = await world.controller.create(
    requestBody({ subject_identities: identitiesOf(somebody(world)), status_callback_urls: urls }),
  );
  expect(status).toBe(201);
}

/** What a stranger who receives callbacks can rely on (protocol, "Retry of callbacks", "A receiver's answer"). */
export function deliveryRules(rule: Rule): void {
  rule(
    'each attempt of a callback has the same signed bytes and id, and each address gets its statuses in order',
    async (world) => {
      const failsEachOnce: Answering = ({ body }, earlier) => ({
        status: earlier.some((one) => one.body.equals(body)) ? 200 : 500,
      });
      const [failing, living] = [
        answered(world.receiver, failsEachOnce),
        answered(world.receiver, () => ({ status: 204 })),
      ];
      await create(world, failing.url, living.url);
      await until('all tries', () => failing.callbacks().length === 2 * STATUSES.length);
      expect(statusesOf(failing.callbacks())).toEqual(STATUSES.flatMap((status) => [status, status]));
      expect(statusesOf(living.callbacks())).toEqual(STATUSES);
      for (const callback of [...failing.callbacks()])
        expect(await callbackFaults(callback, failing.url, world.service.trust)).toEqual([]);
      const ids = failing.callbacks().map(({ headers }) => headers['x-delivery-id']);
      expect(new Set(ids).size).toBe(STATUSES.length);
      failing.callbacks().forEach(({ body }, n, all) => {
        const first = n - (n % 2);
        expect([ids[n], body]).toEqual([ids[first], all[first]?.body]);
      });
      expect(ids).not.toContain(living.callbacks()[0]?.headers['x-delivery-id']);
    },
  );

  rule(
    '410 ends the callbacks to one address, a redirect is a failed attempt, an endless 200 a success',
    async (world) => {
      const elsewhere = answered(world.receiver, () => ({ status: 200 }));
      const leaving = answered(world.receiver, firstly({ status: 202 }, { status: 410 }));
      const redirecting = answered(world.receiver, firstly({ status: 307, headers: { location: elsewhere.url } }));
      const talking = answered(world.receiver, () => ({ status: 200, body: ENDLESS }));
      await create(world, leaving.url, redirecting.url, talking.url);
      await Promise.all([redirecting.delivered('completed'), talking.delivered('completed')]);
      expect(statusesOf(leaving.callbacks())).toEqual(['pending', 'in_progress']);
      expect(statusesOf(redirecting.callbacks())).toEqual(['pending', ...STATUSES]);
      expect(statusesOf(talking.callbacks())).toEqual(STATUSES);
      expect(elsewhere.callbacks()).toEqual([]);
    },
  );

  rule(
    'Retry-After is respected, and neither a closed port nor a silent receiver delays another one',
    async (world) => {
      const silent = await Receiver.start(world.service.receiverTls);
      try {
        const [port = 0] = await freePorts(1);
        const never = answered(silent, () => new Promise<ReceiverAnswer>(() => undefined));
        const waiting = answered(
          world.receiver,
          firstly({ status: 503, headers: { 'retry-after': String(ASKED_WAIT_S) } }),
        );
        const living = answered(world.receiver, () => ({ status: 200 }));
        await create(world, never.url, `https://127.0.0.1:${String(port)}/`, living.url, waiting.url);
        await living.delivered('completed');
        expect(statusesOf(living.callbacks())).toEqual(STATUSES);
        // Nothing follows its first callback, whose end nobody awaits and which may be tried again.
        expect(new Set(statusesOf(never.callbacks()))).toEqual(new Set(['pending']));
        await waiting.delivered('completed');
        const [first, second] = waiting.callbacks().map(({ receivedAt }) => receivedAt.getTime());
        expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(ASKED_WAIT_S * 1000);
      } finally {
        await silent.close();
      }
    },
  );
}

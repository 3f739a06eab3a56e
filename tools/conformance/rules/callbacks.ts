import type { Callback } from '../../receiver/receiver';
import { expectEqual, expectFields, expectThat, Failure, fieldsOf, Undecided, type Fields } from '../checks';
import { shownDuration } from '../duration';
import { callbackPath, callbackUrl, cancel, completedRound, receiverOf, round } from '../life';
import { expectDomain, expectJsonType, expectSignature, expectSignatureHeader } from '../processor';
import { inInterface, inNotes, type Rule } from '../rule';
import type { Session } from '../session';

const received = (session: Session, name: string): readonly Callback[] =>
  receiverOf(session).received(callbackPath(session, name));

/**
 * Waits for a callback of something that GET shows by now: one try is a MUST. That it does not come proves nothing
 * where the processor has had no whole interval for it.
 */
async function awaited<T>(session: Session, what: string, ask: () => T | undefined): Promise<T> {
  const found = await session.eventually(ask);
  if (found !== undefined) return found;
  const { waitMs, callbackIntervalMs } = session.options;
  if (waitMs < callbackIntervalMs)
    throw new Undecided(
      `${what} is missing: waited only ${shownDuration(waitMs)}; callbacks are sent every ${shownDuration(callbackIntervalMs)}`,
    );
  throw new Failure(`expected ${what} within ${shownDuration(waitMs)}, got none`);
}

/** So many callbacks to one address of this run. */
const arrived = (session: Session, name: string, count: number): Promise<readonly Callback[]> =>
  awaited(session, count === 1 ? 'a callback' : 'another try', () =>
    received(session, name).length >= count ? received(session, name) : undefined,
  );

/** The first callback of a request. */
const first = (session: Session): Promise<Callback> =>
  session.once('first callback', async () => {
    await round(session);
    const [callback] = await arrived(session, 'a', 1);
    return callback as Callback;
  });

const statusesOf = (callbacks: readonly Callback[]): unknown[] =>
  callbacks.map((callback) => fieldsOf(callback).request_status);

/** All callbacks to one address until the request is completed. */
const toldTo = (session: Session, name: 'a' | 'b'): Promise<readonly Callback[]> =>
  session.once(`received by ${name}`, async () => {
    await completedRound(session);
    return awaited(session, 'the callback of a completion', () =>
      statusesOf(received(session, name)).includes('completed') ? received(session, name) : undefined,
    );
  });

const wholeRound = async (session: Session) => ({ a: await toldTo(session, 'a'), b: await toldTo(session, 'b') });

/** What a request that is cancelled sends last. */
const cancelled = (session: Session): Promise<Callback> =>
  session.once('cancelled callback', async () => {
    const { subject_request_id: id } = await session.admit({
      status_callback_urls: [callbackUrl(session, 'cancelled')],
    });
    await cancel(session, id);
    return awaited(session, 'the callback of a cancel', () =>
      received(session, 'cancelled').find((callback) => fieldsOf(callback).request_status === 'cancelled'),
    );
  });

/** A pending request whose receiver does not take the first callback. */
async function expectAnotherTry(
  session: Session,
  name: string,
  answer: { status: number; headers?: Record<string, string> },
): Promise<readonly Callback[]> {
  receiverOf(session).answer(callbackPath(session, name), (_callback, earlier) =>
    earlier.length === 0 ? answer : { status: 202 },
  );
  await session.admit({ status_callback_urls: [callbackUrl(session, name)] });
  await arrived(session, name, 1);
  const callbacks = await arrived(session, name, 2);
  expectEqual('the status of both tries', statusesOf(callbacks.slice(0, 2)), ['pending', 'pending']);
  return callbacks;
}

type Written = Omit<Rule, 'section' | 'source'>;
const withReceiver = (rules: readonly Written[]): readonly Written[] =>
  rules.map((rule) => ({ ...rule, needs: ['receiver'], order: 'waits' }));
/** A rule about the first callback of a request. */
const onFirst = (
  id: string,
  title: string,
  check: (callback: Callback, session: Session) => void | Promise<void>,
): Written => ({ id: `callbacks.${id}`, title, run: async (session) => check(await first(session), session) });

const fieldTypes = {
  controller_id: 'string',
  expected_completion_time: 'ISO 8601 time',
  subject_request_id: 'UUID v4',
  request_status: 'string',
  api_version: 'string',
  results_url: 'string or null',
  extensions: 'array or null',
} as const;

export const callbackRules = [
  ...inInterface(
    'Status callbacks',
    withReceiver([
      onFirst('created', 'a create sends a callback: pending', (callback) =>
        expectEqual('request_status', fieldsOf(callback).request_status, 'pending'),
      ),
      onFirst('post', 'a callback is a POST', ({ method }) => expectEqual('the method', method, 'POST')),
      onFirst('content-type', 'a callback is application/json', (callback) => expectJsonType(callback)),
      onFirst('domain-header', 'a callback carries the processor domain header', (callback, session) =>
        expectDomain(session, callback),
      ),
      onFirst(
        'signature-header',
        'a callback carries the signature header, Base64',
        (callback, session) => void expectSignatureHeader(session, callback),
      ),
      {
        id: 'callbacks.every-change',
        title: 'every change of status sends a callback',
        run: async (session) =>
          expectEqual('the statuses', [...new Set(statusesOf(await toldTo(session, 'a')))].sort(), [
            'completed',
            'in_progress',
            'pending',
          ]),
      },
      {
        id: 'callbacks.every-url',
        title: 'every callback URL gets every callback',
        run: async (session) =>
          expectEqual('the statuses', [...new Set(statusesOf(await toldTo(session, 'b')))].sort(), [
            'completed',
            'in_progress',
            'pending',
          ]),
      },
      {
        id: 'callbacks.cancelled',
        title: 'a cancel sends a callback: cancelled',
        run: async (session) => void (await cancelled(session)),
      },
    ]),
  ),
  ...inInterface(
    'Callback authenticity',
    withReceiver([
      onFirst('signature', 'the published certificate signed the bytes of the callback', (callback, session) =>
        expectSignature(session, callback),
      ),
    ]),
  ),
  ...inInterface(
    'Callback body',
    withReceiver([
      onFirst('fields', 'a callback has every field, of its type', (callback) =>
        expectFields(fieldsOf(callback), fieldTypes),
      ),
      onFirst('api-version', 'api_version is the version of the root', (callback, session) =>
        expectEqual('api_version', fieldsOf(callback).api_version, session.version.apiVersion),
      ),
      onFirst('id', 'subject_request_id is the id that the controller sent', async (callback, session) => {
        const { subject_request_id: id } = await round(session);
        expectEqual('subject_request_id', fieldsOf(callback).subject_request_id, id);
      }),
      onFirst('results', 'results_url is null while the request is not complete', (callback) =>
        expectEqual('results_url', fieldsOf(callback).results_url, null),
      ),
      {
        id: 'callbacks.cancelled-body',
        title: 'the callback of a cancel has every field, and results_url is null',
        run: async (session) => {
          const fields = fieldsOf(await cancelled(session));
          expectFields(fields, fieldTypes);
          expectEqual('results_url', fields.results_url, null);
        },
      },
      {
        id: 'callbacks.results-url',
        title: 'the last callback has the results_url of the status record',
        run: async (session) =>
          expectThat(
            lastOf(await toldTo(session, 'a')).results_url === (await completedRound(session)).results_url,
            'the results_url of the status record',
            'another',
          ),
      },
    ]),
  ),
  ...inNotes(
    'Order of callbacks',
    withReceiver([
      {
        id: 'callbacks.order',
        title: 'callbacks arrive in the order of the changes, each once',
        run: async (session) => {
          for (const received of Object.values(await wholeRound(session)))
            expectEqual('the statuses', statusesOf(received), ['pending', 'in_progress', 'completed']);
        },
      },
    ]),
  ),
  ...inNotes(
    'Callback body',
    withReceiver([
      {
        id: 'callbacks.address',
        title: 'status_callback_url is the address that the callback was sent to',
        run: async (session) => {
          for (const [name, received] of Object.entries(await wholeRound(session)))
            expectThat(
              received.every((callback) => fieldsOf(callback).status_callback_url === callbackUrl(session, name)),
              'status_callback_url to be its own address',
              'another',
            );
        },
      },
      {
        id: 'callbacks.keys',
        title: 'the keys have the order of the notes, as compact JSON',
        run: async (session) => {
          const callback = await first(session);
          expectEqual('keys', Object.keys(fieldsOf(callback)), [
            'controller_id',
            'expected_completion_time',
            'status_callback_url',
            'subject_request_id',
            'request_status',
            'api_version',
            'results_url',
            'extensions',
          ]);
          expectThat(JSON.stringify(fieldsOf(callback)) === callback.body.toString(), 'compact JSON', 'other bytes');
        },
      },
    ]),
  ),
  ...inNotes(
    'Times',
    withReceiver([
      {
        id: 'callbacks.times',
        title: 'times in callbacks are RFC 3339 in UTC',
        run: async (session) => {
          for (const callback of [await first(session), await cancelled(session)])
            expectFields(fieldsOf(callback), { expected_completion_time: 'RFC 3339 time in UTC' });
        },
      },
    ]),
  ),
  ...inNotes(
    'Signed responses',
    withReceiver([
      {
        id: 'callbacks.all-signed',
        title: 'every callback to every URL has a signature of its own',
        run: async (session) => {
          const all = Object.values(await wholeRound(session)).flat();
          for (const callback of all) await expectSignature(session, callback);
        },
      },
    ]),
  ),
  ...inNotes(
    'Retry of callbacks',
    withReceiver([
      {
        id: 'callbacks.retry',
        title: 'a callback that got 500 is sent again, signed',
        run: async (session) =>
          expectSignature(session, (await expectAnotherTry(session, 'retry', { status: 500 }))[1] as Callback),
      },
    ]),
  ),
  ...inNotes(
    "A receiver's answer",
    withReceiver([
      {
        id: 'callbacks.redirect',
        title: 'a redirect counts as a failure and is not followed',
        run: async (session) => {
          await expectAnotherTry(session, 'redirect', {
            status: 307,
            headers: { location: callbackUrl(session, 'redirected') },
          });
          expectEqual('callbacks at the other address', received(session, 'redirected').length, 0);
        },
      },
    ]),
  ),
];

const lastOf = (callbacks: readonly Callback[]): Fields =>
  fieldsOf(
    callbacks.findLast((callback) => fieldsOf(callback).request_status === 'completed') ?? { body: Buffer.from('{}') },
  );

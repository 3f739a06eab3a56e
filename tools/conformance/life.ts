import type { Answer } from './answer';
import { expectStatus, Failure, fieldsOf, succeeded, Undecided, type Fields } from './checks';
import { shownDuration } from './duration';
import type { RequestBody, Session } from './session';

/** The answers to one request from its create to after its cancel, shared by many rules. */
interface Life {
  readonly body: RequestBody;
  readonly created: Answer;
  readonly read: Answer;
  readonly cancelled: Answer;
  readonly after: Answer;
}

export const life = (session: Session): Promise<Life> =>
  session.once('life', async () => {
    const body = session.body();
    const created = await session.create(body);
    const read = await session.read(body.subject_request_id);
    const cancelled = await session.cancel(body.subject_request_id);
    return { body, created, read, cancelled, after: await session.read(body.subject_request_id) };
  });

/** Its cancel, where the processor took it. */
export async function cancelledLife(session: Session): Promise<Life> {
  const whole = await life(session);
  if (succeeded(whole.cancelled)) return whole;
  throw notCancelled(whole.cancelled, statusIn(whole.after));
}

/** Creates and cancels a request, for rules about what that sets free. */
export async function cancel(session: Session, id: string): Promise<void> {
  const answer = await session.cancel(id);
  if (!succeeded(answer)) throw notCancelled(answer, statusIn(await session.read(id)));
}

function notCancelled({ status }: Answer, shown: unknown): Error {
  if (shown === 'in_progress' || shown === 'completed')
    return new Undecided('the processor had started the request before it could be cancelled: see --pending-type');
  return new Failure(`expected a pending request to be cancelled, got ${String(status)}`);
}

const statusIn = (answer: Answer): unknown => (answer.status === 200 ? fieldsOf(answer).request_status : undefined);

/**
 * The record of a request that has come to its end; undecided where that takes longer than `waitMs`, because no rule
 * says how long it may take.
 */
export async function completed(session: Session, id: string, waitMs = session.options.waitMs): Promise<Fields> {
  let shown: unknown;
  const record = await session.eventually(async () => {
    const answer = await session.read(id);
    if (!succeeded(answer)) throw new Failure(`expected the status of a request, got ${String(answer.status)}`);
    const fields = fieldsOf(answer);
    shown = fields.request_status;
    return shown === 'completed' ? fields : undefined;
  }, waitMs);
  if (record) return record;
  throw new Undecided(`a request was still ${String(shown)} after ${shownDuration(waitMs)}: give it more time`);
}

/** An access request about an unknown person, with two callback addresses if there is a receiver. */
export const round = (session: Session): Promise<RequestBody> =>
  session.once('round', () =>
    session.admit({
      subject_request_type: 'access',
      ...(session.target.receiver && { status_callback_urls: ['a', 'b'].map((path) => callbackUrl(session, path)) }),
    }),
  );

export const completedRound = (session: Session): Promise<Fields> =>
  session.once('completed round', async () => completed(session, (await round(session)).subject_request_id));

/** Path of a callback address of this run. */
export const callbackPath = (session: Session, name: string): string =>
  `/conformance/${session.run}/${session.version.root}/${name}`;

export function callbackUrl(session: Session, name: string): string {
  return receiverOf(session).url(callbackPath(session, name));
}

export function receiverOf({ target: { receiver } }: Session): NonNullable<Session['target']['receiver']> {
  if (!receiver) throw new Failure('expected a receiver, got none');
  return receiver;
}

/** So few that the requests of other rules, which have to wait for their end, do not queue behind a group. */
const OF_GROUP_AT_ONCE = 12;

/** So many requests of one group. Answers their ids. */
export async function admitGroup(session: Session, group: string, size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let left = size; left > 0; left -= OF_GROUP_AT_ONCE) {
    const bodies = await Promise.all(
      Array.from({ length: Math.min(left, OF_GROUP_AT_ONCE) }, () => session.admit({ group_id: group })),
    );
    ids.push(...bodies.map(({ subject_request_id: id }) => id));
  }
  return ids;
}

export async function expectRefusal(session: Session, body: object | string, expected = 400): Promise<void> {
  expectStatus(await session.create(body), expected);
}

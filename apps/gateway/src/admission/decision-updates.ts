import { requestKey } from '@opendsr-service/contracts';
import { outboxEntry, type NewRequest } from './commands';
import { DECISIONS } from './decisions';
import { atPreviousVersion, versionFields, type EventRun } from './event-run';
import type { OutboxEntry, RequestDocument } from './request.document';
import { personsAt, type TransitionListeners } from './transition-listeners';

/** The numbers of decisions: an extension may take one before each of them (decision 24). */
export const CANCEL_NUMBERS = [2, 3] as const;
export const COMPLETION_NUMBER = 3;

/** Who hears of a decision, and how long its command may stay unanswered before the relay sends it again. */
export interface DecisionOptions {
  readonly listeners: TransitionListeners;
  readonly resendAfterMs: number;
}

interface Decided {
  readonly at: Date;
  /** The number of the decision; it follows the one before. */
  readonly seq: number;
}

export const resendFields = (at: Date, { resendAfterMs }: Pick<DecisionOptions, 'resendAfterMs'>) => ({
  outboxAt: new Date(at.getTime() + resendAfterMs),
  tries: 0,
});

export const flags = <F extends string>(fields: readonly F[]) =>
  Object.fromEntries(fields.map((field) => [field, 1])) as Record<F, 1>;

/** A request as it is admitted: pending, with its first command. */
export function admittedDocument(request: NewRequest, options: DecisionOptions): RequestDocument {
  const { startAt, fingerprint, receivedAt } = request;
  const submit = outboxEntry(request, {
    ...{ seq: 1, type: 'SubmitRequest', at: receivedAt },
    data: { startAt: startAt.toISOString(), fingerprint },
  });
  return {
    ...request,
    openDestinations: request.sealed.callbacks.map(({ destination }) => destination),
    ...{ status: 'pending', seq: 1, v: 0, outbox: [submit], outboxSince: receivedAt },
    ...resendFields(receivedAt, options),
  };
}

/** `token`: names this cancel among others of the request. */
export function cancelUpdate(
  { ws, srid }: Pick<RequestDocument, 'ws' | 'srid'>,
  { at, seq, token }: Decided & { readonly token: string },
  options: DecisionOptions,
) {
  const { set, unset } = DECISIONS.CancelRequest(at, seq);
  return {
    filter: { _id: requestKey(ws, srid), ws, status: 'pending', seq: seq - 1 },
    update: {
      $set: { ...set, cancelToken: token, personsAt: personsAt(options.listeners, at), ...resendFields(at, options) },
      $min: { outboxSince: at },
      $push: { outbox: outboxEntry({ ws, srid }, { seq, type: 'CancelRequest', at }) },
      $unset: flags(unset),
    },
  } as const;
}

/** `unanswered`: the commands before it that the events do not answer. */
export function completionUpdate(
  of: EventRun,
  { at, seq, unanswered }: Decided & { readonly unanswered: readonly OutboxEntry[] },
  options: DecisionOptions,
) {
  const { set, unset } = DECISIONS.CompleteRequest(at, seq);
  return {
    filter: { ...atPreviousVersion(of), status: 'in_progress', seq: seq - 1 },
    update: {
      $set: {
        ...set,
        ...versionFields(of),
        personsAt: personsAt(options.listeners, at),
        outbox: [...unanswered, outboxEntry(of, { seq, type: 'CompleteRequest', at })],
        outboxSince: unanswered[0] ? new Date(unanswered[0].at) : at,
        ...resendFields(at, options),
      },
      $unset: flags(unset),
    },
  } as const;
}

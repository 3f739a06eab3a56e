import {
  requestKey,
  startingExtensions,
  type Admission,
  type DestinationSettled,
  type RequestCommand,
  type RequestEvent,
} from '@opendsr-service/contracts';
import { completeEntry, entryOf } from '../admission/commands';
import { DECISIONS } from '../admission/decisions';
import type { RequestDocument } from '../admission/request.document';
import { without } from '../admission/fields';

export interface FoldedRequest extends RequestDocument {
  /** The last command that an event answers. */
  readonly answered: number;
  /** The log requires a completion without a command: this fold decided it. */
  readonly isOwnDecision?: true;
  /** The log no longer holds its first event. */
  readonly isHeadless?: true;
}

type RequestAddress = Readonly<Record<'ws' | 'srid', string>>;

function admitted({ ws, srid }: RequestAddress, admission: Admission): FoldedRequest {
  const { submittedTime, receivedAt, startAt, expectedAt, identities, group, callbacks, ...same } = admission;
  const openDestinations = callbacks.map(({ destination }) => destination);
  return {
    ...{ _id: requestKey(ws, srid), ws, srid, status: 'pending', ...same },
    ...{
      submittedTime: new Date(submittedTime),
      receivedAt: new Date(receivedAt),
      startAt: new Date(startAt),
      expectedAt: new Date(expectedAt),
    },
    ...{
      sealed: { identities, ...(group !== undefined && { group }), callbacks },
      openDestinations,
      seq: 1,
      outbox: [],
      v: 0,
      answered: 0,
    },
  };
}

function decided(before: FoldedRequest, type: keyof typeof DECISIONS, at: Date): FoldedRequest {
  const { set, unset } = DECISIONS[type](at);
  return { ...(without(before, unset) as FoldedRequest), ...set };
}

const ANSWERS: Readonly<Partial<Record<RequestEvent['type'], keyof typeof DECISIONS>>> = {
  RequestStarted: 'StartRequest',
  RequestCancelled: 'CancelRequest',
  RequestCompleted: 'CompleteRequest',
};

/** `now` dates a completion that the log requires without a command. */
export const foldEvent =
  (now: Date) =>
  (before: FoldedRequest | undefined, event: RequestEvent): FoldedRequest | undefined => {
    if (!before && event.version > 1) return headless(event);
    const known = before ?? (event.type === 'RequestReceived' ? admitted(event, event.request) : undefined);
    if (!known || known.isHeadless || event.version !== known.v + 1) return before;
    return {
      ...after(known, event, now),
      v: event.version,
      answered: event.commandSeq,
      ...('extensions' in event && event.extensions && { extensions: event.extensions }),
    };
  };

function after(before: FoldedRequest, event: RequestEvent, now: Date): FoldedRequest {
  if (event.type === 'RequestFulfilled') return completedBy(before, now);
  const decision = ANSWERS[event.type];
  const next = decision ? decided(without(before, ['isOwnDecision']), decision, new Date(event.at)) : before;
  return { ...next, outbox: next.outbox.filter(({ seq }) => seq > event.commandSeq) };
}

const completedBy = (before: FoldedRequest, now: Date): FoldedRequest =>
  before.status === 'completed'
    ? before
    : { ...decided(before, 'CompleteRequest', now), outbox: [completeEntry(before, now)], isOwnDecision: true };

/** Its fields are not compared. */
const headless = ({ ws, srid, version: v, commandSeq, at }: RequestEvent): FoldedRequest => {
  const time = new Date(at);
  const unknown = { controllerId: '', apiVersion: '2.0', type: 'access', groupId: null, kid: '' } as const;
  return {
    ...{
      _id: requestKey(ws, srid),
      ws,
      srid,
      status: 'pending',
      ...unknown,
      submittedTime: time,
      receivedAt: time,
      expectedAt: time,
    },
    ...{ seq: commandSeq, outbox: [], openDestinations: [], v, answered: commandSeq, isHeadless: true },
  };
};

/** Ignores commands that an event answers. The first command of a number counts. */
export function foldCommand(before: FoldedRequest | undefined, command: RequestCommand): FoldedRequest | undefined {
  const known =
    before ?? (command.type === 'SubmitRequest' ? { ...admitted(command, command.request), seq: 0 } : undefined);
  if (!known || known.isHeadless || command.seq <= known.answered) return before;
  const { isOwnDecision, ...rest } = known;
  if (isOwnDecision && command.type === 'CompleteRequest')
    return { ...decided(rest, command.type, new Date(command.at)), outbox: [entryOf(command)] };
  if (command.seq !== known.seq + 1) return before;
  const next = { ...rest, seq: command.seq };
  return {
    ...(command.type === 'SubmitRequest' ? next : decided(next, command.type, new Date(command.at))),
    ...extensionsOf(command),
    outbox: [...known.outbox, entryOf(command)],
  };
}

function extensionsOf(command: RequestCommand): Pick<RequestDocument, 'extensions'> {
  const extensions =
    command.type === 'StartRequest' && command.participants ? startingExtensions(command.participants) : undefined;
  return extensions ? { extensions } : {};
}

export function foldSettled(
  before: FoldedRequest | undefined,
  { destination }: DestinationSettled,
): FoldedRequest | undefined {
  if (!before?.openDestinations.includes(destination)) return before;
  return { ...before, openDestinations: before.openDestinations.filter((open) => open !== destination) };
}

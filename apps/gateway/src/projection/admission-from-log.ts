import {
  requestKey,
  startingExtensions,
  type Admission,
  type DestinationSettled,
  type RequestCommand,
  type RequestEvent,
} from '@opendsr-service/contracts';
import { completeRequest } from '../admission/commands';
import type { OutboxEntry, RequestDocument } from '../admission/request.document';
import { without } from './fields';

/** An admission as the log has it. */
export interface FoldedRequest extends RequestDocument {
  /** Number of the last command that an event answers. */
  readonly answered: number;
  /** The log demands that it completes, and holds no command that says so: this fold has decided it. */
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

/** What a decision makes of an admission; `at` is when it was taken. */
function decided(before: FoldedRequest, type: RequestCommand['type'], at: Date): FoldedRequest {
  const rest = without(before, ['startAt', 'fingerprint']);
  if (type === 'StartRequest') return { ...without(before, ['startAt']), status: 'in_progress', seq: 2, startedAt: at };
  if (type === 'CancelRequest') return { ...rest, status: 'cancelled', seq: 2, cancelledAt: at };
  if (type === 'CompleteRequest') return { ...rest, status: 'completed', seq: 3, completedAt: at };
  return before;
}

/** Which decision each event answers. */
const ANSWERS: Readonly<Partial<Record<RequestEvent['type'], RequestCommand['type']>>> = {
  RequestStarted: 'StartRequest',
  RequestCancelled: 'CancelRequest',
  RequestCompleted: 'CompleteRequest',
};

/** The admission after an event, from nothing: the only place where an event sets a status. `now` is when a completion is decided that the log only demands. */
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

/** A command that no event answers may have said so before. */
const completedBy = (before: FoldedRequest, now: Date): FoldedRequest =>
  before.status === 'completed'
    ? before
    : { ...decided(before, 'CompleteRequest', now), outbox: [completeRequest(before, now)], isOwnDecision: true };

/** Nothing is compared of it, so that it need only be there. */
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
    ...{ seq: commandSeq, outbox: [], v, answered: commandSeq, isHeadless: true },
  };
};

/** The admission after a command. One that an event answers changes nothing; of what is left the first of a number counts, and its decision stands. */
export function foldCommand(before: FoldedRequest | undefined, command: RequestCommand): FoldedRequest | undefined {
  const known =
    before ?? (command.type === 'SubmitRequest' ? { ...admitted(command, command.request), seq: 0 } : undefined);
  if (!known || known.isHeadless || command.seq <= known.answered) return before;
  const { isOwnDecision, ...rest } = known;
  if (isOwnDecision && command.type === 'CompleteRequest')
    return { ...decided(rest, command.type, new Date(command.at)), outbox: [entryOf(command)] };
  if (command.seq !== known.seq + 1) return before;
  return {
    ...decided({ ...rest, seq: command.seq }, command.type, new Date(command.at)),
    ...extensionsOf(command),
    outbox: [...known.outbox, entryOf(command)],
  };
}

/** What a decision shows of the outside participants. */
function extensionsOf(command: RequestCommand): Pick<RequestDocument, 'extensions'> {
  const extensions =
    command.type === 'StartRequest' && command.participants ? startingExtensions(command.participants) : undefined;
  return extensions ? { extensions } : {};
}

const entryOf = ({ type, id, seq, at, ...more }: RequestCommand): OutboxEntry => ({
  seq,
  id,
  type,
  at,
  data: without(more, ['ws', 'srid']),
});

/** The admission after one of its destinations has settled. */
export function foldSettled(
  before: FoldedRequest | undefined,
  { destination }: DestinationSettled,
): FoldedRequest | undefined {
  if (!before?.openDestinations?.includes(destination)) return before;
  return { ...before, openDestinations: before.openDestinations.filter((open) => open !== destination) };
}

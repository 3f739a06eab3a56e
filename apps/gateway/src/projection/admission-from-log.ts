import {
  eventDigest,
  requestKey,
  startingExtensions,
  type Admission,
  type DeadlineExtended,
  type DestinationSettled,
  type ExtendDeadline,
  type RequestCommand,
  type RequestEvent,
} from '@opendsr-service/contracts';
import { entryOf, outboxEntry } from '../admission/commands';
import { DECISIONS } from '../admission/decisions';
import { extensionFields, legalDatesOf } from '../admission/legal-dates';
import type { OutboxEntry, RequestDocument } from '../admission/request.document';
import { without } from '../admission/fields';
import { isEnd, reportsOf } from '../admission/reports';

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
  const { submittedTime, receivedAt, startAt, expectedAt, identities, group, callbacks, ...rest } = admission;
  const same = without(rest, ['legalSince', 'legalDueAt', 'workspaceClass']);
  const openDestinations = callbacks.map(({ destination }) => destination);
  return {
    _id: requestKey(ws, srid),
    ws,
    srid,
    status: 'pending',
    ...same,
    submittedTime: new Date(submittedTime),
    receivedAt: new Date(receivedAt),
    startAt: new Date(startAt),
    expectedAt: new Date(expectedAt),
    ...legalDatesOf(admission),
    sealed: { identities, ...(group !== undefined && { group }), callbacks },
    openDestinations,
    seq: 1,
    outbox: [],
    v: 0,
    answered: 0,
  };
}

interface Decided {
  readonly type: keyof typeof DECISIONS;
  readonly at: Date;
  readonly seq: number;
}

function decided(before: FoldedRequest, { type, at, seq }: Decided): FoldedRequest {
  const { set, unset } = DECISIONS[type](at, seq);
  return { ...(without(before, unset) as FoldedRequest), ...set };
}

/** Everything of an extension but its number. */
function extended(before: FoldedRequest, { at, extendedUntil, extendedBy, reason }: ExtendDeadline | DeadlineExtended) {
  const extension = { at: new Date(at), extendedUntil: new Date(extendedUntil), extendedBy };
  return {
    ...before,
    ...extensionFields(before, extension),
    ...(before.sealed && { sealed: { ...before.sealed, extensionReason: reason } }),
  };
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
      ...attestedBy(known, event),
    };
  };

/** What an event says for the attestation. */
function attestedBy({ reports }: FoldedRequest, event: RequestEvent): Pick<RequestDocument, 'reports' | 'history'> {
  const reported = reportsOf([event]);
  return {
    ...(reported && { reports: { ...reports, ...reported } }),
    ...(isEnd(event) && { history: eventDigest(event) }),
  };
}

function after(before: FoldedRequest, event: RequestEvent, now: Date): FoldedRequest {
  if (event.type === 'RequestFulfilled') return completedBy(before, now);
  if (event.type === 'DeadlineExtended') return afterExtension(before, event);
  const type = ANSWERS[event.type];
  const decision = type && { type, at: new Date(event.at), seq: event.commandSeq };
  const next = decision ? decided(without(before, ['isOwnDecision']), decision) : before;
  return { ...next, outbox: next.outbox.filter(({ seq }) => seq > event.commandSeq) };
}

function completedBy(before: FoldedRequest, at: Date): FoldedRequest {
  if (before.status === 'completed') return before;
  const seq = before.seq + 1;
  return {
    ...decided(before, { type: 'CompleteRequest', at, seq }),
    outbox: [outboxEntry(before, { seq, type: 'CompleteRequest', at })],
    isOwnDecision: true,
  };
}

/** The extension was decided before a completion that the log requires, so that one takes the next number. */
function afterExtension(before: FoldedRequest, event: DeadlineExtended): FoldedRequest {
  const known = { ...extended(before, event), seq: event.commandSeq };
  return before.isOwnDecision ? renumbered(known, []) : known;
}

function renumbered(request: FoldedRequest, earlier: readonly OutboxEntry[]): FoldedRequest {
  const seq = request.seq + 1;
  const at = request.completedAt ?? request.receivedAt;
  return { ...request, seq, outbox: [...earlier, outboxEntry(request, { seq, type: 'CompleteRequest', at })] };
}

/** Its fields are not compared. */
const headless = ({ ws, srid, version: v, commandSeq, at }: RequestEvent): FoldedRequest => {
  const time = new Date(at);
  const unknown = { controllerId: '', apiVersion: '2.0', type: 'access', groupId: null, kid: '' } as const;
  return {
    _id: requestKey(ws, srid),
    ws,
    srid,
    status: 'pending',
    ...unknown,
    submittedTime: time,
    receivedAt: time,
    expectedAt: time,
    seq: commandSeq,
    outbox: [],
    openDestinations: [],
    v,
    answered: commandSeq,
    isHeadless: true,
  };
};

/** Ignores commands that an event answers. The first command of a number counts. */
export function foldCommand(before: FoldedRequest | undefined, command: RequestCommand): FoldedRequest | undefined {
  const known =
    before ?? (command.type === 'SubmitRequest' ? { ...admitted(command, command.request), seq: 0 } : undefined);
  if (!known || known.isHeadless || command.seq <= known.answered) return before;
  const overtaken = known.isOwnDecision ? beforeOwnDecision(known, command) : undefined;
  if (overtaken) return overtaken;
  if (command.seq !== known.seq + 1) return before;
  const rest = without(known, ['isOwnDecision']);
  return { ...commanded(rest, command), ...extensionsOf(command), outbox: [...known.outbox, entryOf(command)] };
}

/** A command that stands on the log in place of, or before, a completion that the log requires. */
function beforeOwnDecision(known: FoldedRequest, command: RequestCommand): FoldedRequest | undefined {
  if (command.type === 'ExtendDeadline') return foldExtension(known, command);
  if (command.type !== 'CompleteRequest') return undefined;
  const rest = without(known, ['isOwnDecision']);
  const earlier = known.outbox.filter(({ seq }) => seq < command.seq && seq < known.seq);
  return { ...decided(rest, decisionOf(command, command.type)), outbox: [...earlier, entryOf(command)] };
}

/** An extension that no event answers yet, before a completion that the log requires. */
export const foldExtension = (known: FoldedRequest, command: ExtendDeadline): FoldedRequest =>
  known.isOwnDecision && command.seq === known.seq && known.extendedUntil === undefined
    ? renumbered(extended(known, command), [entryOf(command)])
    : known;

const decisionOf = <T extends keyof typeof DECISIONS>({ at, seq }: RequestCommand, type: T) => ({
  type,
  at: new Date(at),
  seq,
});

function commanded(before: FoldedRequest, command: RequestCommand): FoldedRequest {
  if (command.type === 'SubmitRequest') return { ...before, seq: command.seq };
  if (command.type === 'ExtendDeadline') return { ...extended(before, command), seq: command.seq };
  return decided(before, decisionOf(command, command.type));
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

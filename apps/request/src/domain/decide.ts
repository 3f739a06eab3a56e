import {
  messageId,
  PARTICIPANTS,
  startingExtensions,
  type CancelRequest,
  type CompleteRequest,
  type ExtendDeadline,
  type ParticipantReport,
  type RequestEvent,
  type StartRequest,
  type SubmitRequest,
} from '@opendsr-service/contracts';
import { evolve, reportedBy } from './evolve';
import { shownExtensions } from './extensions';
import { digestOf } from './logged-event';
import { isFinal, ofParticipant, type RequestState } from './state';

/** An input to a request. A start names the participants of that moment. */
export type RequestInput =
  | SubmitRequest
  | CancelRequest
  | (StartRequest & Required<Pick<StartRequest, 'participants'>>)
  | CompleteRequest
  | ExtendDeadline
  | ParticipantReport;

export type IgnoredReason = 'repeat' | 'gap' | 'not-registered' | 'not-started' | 'unknown-request';

type Fact = RequestEvent extends infer E
  ? E extends RequestEvent
    ? Omit<E, 'id' | 'ws' | 'srid' | 'version' | 'commandSeq' | 'at' | 'previous'>
    : never
  : never;

/**
 * The state machine of a request (decisions 2 and 8). An input whose outcome is already in the state gives no event, so resending
 * is safe. A command whose predecessor is missing is ignored (`gap`); the gateway sends both again. Whether a command is allowed was
 * decided by the gateway (decision 1); only its number is checked here.
 */
export function decide(state: RequestState, input: RequestInput): readonly RequestEvent[] | IgnoredReason {
  if (input.type === 'ParticipantReport') return decideReport(state, input);
  if (input.seq <= state.commandSeq) return 'repeat';
  if (input.seq > state.commandSeq + 1) return 'gap';
  switch (input.type) {
    case 'SubmitRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestReceived', request: input.request }]);
    case 'CancelRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestCancelled' }]);
    case 'StartRequest':
      return stamp(state, input, input.seq, started(input));
    case 'ExtendDeadline':
      return stamp(state, input, input.seq, [extended(input)]);
    case 'CompleteRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestCompleted', ...shownExtensions(state) }]);
  }
}

function started({ participants, work }: Extract<RequestInput, { type: 'StartRequest' }>): readonly Fact[] {
  const extensions = startingExtensions(participants);
  const fact: Fact = {
    type: 'RequestStarted',
    participants: participants.map(({ name }) => name),
    work,
    ...(extensions && { extensions }),
  };
  return participants.length === 0 ? [fact, { type: 'RequestFulfilled' }] : [fact];
}

const extended = ({ extendedUntil, extendedBy, reason }: ExtendDeadline): Fact => ({
  type: 'DeadlineExtended',
  extendedUntil,
  extendedBy,
  reason,
});

function decideReport(state: RequestState, report: ParticipantReport): readonly RequestEvent[] | IgnoredReason {
  if (state.status === 'unknown') return 'unknown-request';
  if (state.status === 'pending' || state.status === 'cancelled') return 'not-started';
  if (!state.participants.includes(report.participant)) return 'not-registered';
  if (isRepeat(state, report)) return 'repeat';
  const after = { ...state, ...reportedBy(state, report) };
  const fact: Fact = { ...shareOf(report), ...shownExtensions(after) };
  const isLast = state.participants.every((participant) => isFinal(ofParticipant(after.reported, participant)));
  return stamp(state, report, state.commandSeq, isLast ? [fact, { type: 'RequestFulfilled' }] : [fact]);
}

/** A final status stays. The message of a failure may change in a later report. */
function isRepeat(state: RequestState, report: ParticipantReport): boolean {
  const before = ofParticipant(state.reported, report.participant);
  return (
    isFinal(before) ||
    isOld(state, report) ||
    (before === report.status && ofParticipant(state.messages, report.participant) === report.statusMessage)
  );
}

/**
 * A reader of the topic could replay a signed failure, so only a later one counts. A final status says the same
 * however often it comes, so it counts whatever the participant's clock did.
 */
function isOld({ reportedAt }: RequestState, { participant, at, status }: ParticipantReport): boolean {
  const last = ofParticipant(reportedAt, participant);
  return !isFinal(status) && last !== undefined && Date.parse(at) <= Date.parse(last);
}

/** Only ingestion names erased subjects: archives are destroyed on its word. Only our own services count what they destroyed. */
function shareOf({
  participant,
  status,
  statusMessage,
  waivedBy,
  erased,
  destroyed,
}: ParticipantReport): Extract<Fact, { type: 'ParticipantReported' }> {
  const isIngestions = participant === PARTICIPANTS.ingestion && waivedBy === undefined;
  const isOurs = isIngestions || participant === PARTICIPANTS.results;
  return {
    ...{ type: 'ParticipantReported', participant, status },
    ...(statusMessage !== undefined && { statusMessage }),
    ...(waivedBy !== undefined && { waivedBy }),
    ...(isIngestions && erased && { erased }),
    ...(isOurs && destroyed && { destroyed }),
  };
}

function stamp(
  state: RequestState,
  { ws, srid, at }: RequestInput,
  commandSeq: number,
  facts: readonly Fact[],
): readonly RequestEvent[] {
  let previous = state.history;
  return facts.map((fact, n) => {
    const version = state.version + 1 + n;
    const head = { id: messageId(ws, srid, version), ws, srid, version, commandSeq, at };
    const event: RequestEvent = { ...fact, ...head, ...(previous !== undefined && { previous }) };
    previous = digestOf(event);
    return event;
  });
}

export const fold = (state: RequestState, events: readonly RequestEvent[]): RequestState =>
  events.reduce((before, event) => ({ ...evolve(before, event), history: digestOf(event) }), state);

import { messageId, type CancelRequest, type CompleteRequest, type ParticipantReport, type RequestEvent, type StartRequest, type SubmitRequest } from '@opendsr-service/contracts';
import { evolve } from './evolve';
import { isFinal, type RequestState } from './state';

/** What can happen to a request. A start comes with the participants of that moment. */
export type Input = SubmitRequest | CancelRequest | (StartRequest & { readonly participants: readonly string[] }) | CompleteRequest | ParticipantReport;

/** Why an input leaves no event: its effect is there already, it is early, or it means nothing here. */
export type Ignored = 'repeat' | 'gap' | 'not-registered' | 'not-started';

type Fact = RequestEvent extends infer E ? (E extends RequestEvent ? Omit<E, 'id' | 'ws' | 'srid' | 'version' | 'commandSeq' | 'at'> : never) : never;

/**
 * The rule of a request's life (D2, D8; interface.md, "States and transitions"). An input whose outcome is in the state
 * already gives no event, which is what makes resending safe; a command that comes before its predecessor waits for the
 * gateway to send both again.
 */
export function decide(state: RequestState, input: Input): readonly RequestEvent[] | Ignored {
  if (input.type === 'ParticipantReport') return decideReport(state, input);
  if (input.seq <= state.commandSeq) return 'repeat';
  if (input.seq > state.commandSeq + 1) return 'gap';
  switch (input.type) {
    case 'SubmitRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestReceived', request: input.request }]);
    case 'CancelRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestCancelled' }]);
    case 'StartRequest':
      return stamp(state, input, input.seq, [
        { type: 'RequestStarted', participants: input.participants, work: input.work },
        ...(input.participants.length === 0 ? [{ type: 'RequestFulfilled' as const }] : []),
      ]);
    case 'CompleteRequest':
      return stamp(state, input, input.seq, [{ type: 'RequestCompleted' }]);
  }
}

function decideReport(state: RequestState, report: ParticipantReport): readonly RequestEvent[] | Ignored {
  if (state.status === 'unknown' || state.status === 'pending') return 'not-started';
  if (!state.participants.includes(report.participant)) return 'not-registered';
  const before = state.reported[report.participant];
  if (isFinal(before) || before === report.status) return 'repeat';
  const reported: Fact = { type: 'ParticipantReported', participant: report.participant, status: report.status };
  const after = { ...state.reported, [report.participant]: report.status };
  const isLast = state.participants.every((participant) => isFinal(after[participant]));
  return stamp(state, report, state.commandSeq, isLast ? [reported, { type: 'RequestFulfilled' }] : [reported]);
}

function stamp(state: RequestState, { ws, srid, at }: Input, commandSeq: number, facts: readonly Fact[]): readonly RequestEvent[] {
  return facts.map((fact, n) => {
    const version = state.version + 1 + n;
    return { ...fact, id: messageId(ws, srid, version), ws, srid, version, commandSeq, at };
  });
}

/** The state after several events, in order. */
export const fold = (state: RequestState, events: readonly RequestEvent[]): RequestState => events.reduce(evolve, state);

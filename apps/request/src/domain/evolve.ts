import type { ParticipantReported, RequestEvent } from '@opendsr-service/contracts';
import type { RequestState } from './state';

/** Applies one event. Events come in the order of their versions, each once. */
export function evolve(state: RequestState, event: RequestEvent): RequestState {
  const next = { ...state, version: event.version, commandSeq: event.commandSeq };
  switch (event.type) {
    case 'RequestReceived':
      return { ...next, status: 'pending' };
    case 'RequestCancelled':
      return { ...next, status: 'cancelled' };
    case 'RequestStarted':
      return {
        ...next,
        status: 'in_progress',
        participants: event.participants,
        outside: (event.extensions ?? []).map(({ domain, name }) => ({ domain, name })),
      };
    case 'ParticipantReported':
      return { ...next, ...reportedBy(state, event) };
    case 'DeadlineExtended':
      return next;
    case 'RequestFulfilled':
      return { ...next, status: 'fulfilled' };
    case 'RequestCompleted':
      return { ...next, status: 'completed' };
  }
}

type Reported = Pick<ParticipantReported, 'participant' | 'status' | 'statusMessage' | 'at'>;

export function reportedBy(
  state: RequestState,
  { participant, status, statusMessage, at }: Reported,
): Pick<RequestState, 'reported' | 'messages' | 'reportedAt'> {
  const others = Object.entries(state.messages).filter(([name]) => name !== participant);
  return {
    reported: { ...state.reported, [participant]: status },
    messages: Object.fromEntries(statusMessage === undefined ? others : [...others, [participant, statusMessage]]),
    reportedAt: { ...state.reportedAt, [participant]: at },
  };
}

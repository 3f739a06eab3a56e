import type { RequestEvent } from '@opendsr-service/contracts';
import type { RequestState } from './state';

/** The state after an event. Events are applied in the order of their versions, each once. */
export function evolve(state: RequestState, event: RequestEvent): RequestState {
  const next = { ...state, version: event.version, commandSeq: event.commandSeq };
  switch (event.type) {
    case 'RequestReceived':
      return { ...next, status: 'pending' };
    case 'RequestCancelled':
      return { ...next, status: 'cancelled' };
    case 'RequestStarted':
      return { ...next, status: 'in_progress', participants: event.participants };
    case 'ParticipantReported':
      return { ...next, reported: { ...state.reported, [event.participant]: event.status } };
    case 'RequestFulfilled':
      return { ...next, status: 'fulfilled' };
    case 'RequestCompleted':
      return { ...next, status: 'completed' };
  }
}

import type { DELIVERY_OUTCOMES, ParticipantReported, RequestStatus } from '@opendsr-service/contracts';

/** At the same instant in this order. `noted`: an entry of the audit trail. `callback_due`: when the next attempt is. `command_waiting`: a decision that the request service has not answered. */
export const HISTORY_KINDS = [
  ...(['received', 'started', 'participant_reported', 'extended', 'completed', 'cancelled'] as const),
  ...(['command_waiting', 'callback_queued', 'callback_attempted', 'callback_due'] as const),
  ...(['attested', 'key_destroyed', 'noted', 'parked'] as const),
] as const;

/** What is known of an entry; which of these, its kind says. No personal data. */
export interface HistoryFacts {
  readonly participant?: string;
  readonly participant_status?: ParticipantReported['status'];
  /** The role by which an operator decided. */
  readonly role?: string;
  /** The legal date until which it was extended. */
  readonly until?: string;
  readonly command?: string;
  readonly number?: number;
  readonly delivery_id?: string;
  readonly destination?: string;
  readonly request_status?: RequestStatus;
  readonly attempt?: number;
  readonly outcome?: (typeof DELIVERY_OUTCOMES)[number];
  readonly http_status?: number;
  readonly duration_ms?: number;
  readonly statement?: number;
  readonly action?: string;
  /** That parked a record. */
  readonly service?: string;
  readonly topic?: string;
  readonly reason?: string;
}

/** Something that happened to a request. `id` names it within the request. */
export interface HistoryEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: (typeof HISTORY_KINDS)[number];
  readonly facts: HistoryFacts;
}

import type { Grant } from './roles';

/** Who calls the operator's API, and what the identity provider lets them do. */
export interface Operator {
  /** The subject of the token. It names a person or a machine, so it belongs into the audit trail and into no log line. */
  readonly subject: string;
  readonly grants: readonly Grant[];
}

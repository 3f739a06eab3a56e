import type { Role } from '@opendsr-service/operator-access';

/** Who decides about which request, and why. */
export interface Decision {
  readonly ws: string;
  readonly srid: string;
  readonly subject: string;
  /** The role by which the caller may. The event log names it, and never the subject. */
  readonly role: Role;
  readonly reason: string;
  /** Id of the HTTP request. */
  readonly requestId: string;
}

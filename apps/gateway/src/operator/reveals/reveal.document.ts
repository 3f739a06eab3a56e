import type { Role } from '@opendsr-service/operator-access';

/** `open`: nobody has approved it. `used`: it was shown whom the request is about, once. */
export const REVEAL_STATES = ['open', 'approved', 'used'] as const;
export type RevealState = (typeof REVEAL_STATES)[number];

/** An operator's wish to see whom a request is about, where a second person must approve. */
export interface RevealDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly state: RevealState;
  /** The subject of who asks. */
  readonly askedBy: string;
  readonly askedRole: Role;
  readonly askedAt: Date;
  /** The entry of the audit trail that holds the reason, sealed under the key of the request. */
  readonly reason: { readonly entryId: string; readonly sealed: string };
  readonly approvedBy?: string;
  readonly approvedAt?: Date;
  /** It counts until then. */
  readonly endsAt: Date;
}

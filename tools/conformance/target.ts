import type { ApiVersion } from '@opendsr-service/contracts';
import type { Receiver } from '../receiver/receiver';

export interface Account {
  readonly key: string;
  readonly secret: string;
}

/** The processor under test and its known facts. */
export interface Target {
  /**
   * `{base_url}` and `{base_url_v1}` of the interface, without the version's root and a slash at the end; only
   * versions with one are tested.
   */
  readonly baseUrls: Readonly<Partial<Record<ApiVersion, string>>>;
  readonly account: Account;
  /** A second workspace of the same processor. */
  readonly other?: Account;
  /** The accepted values of the domain header; empty: only the certificate counts. */
  readonly domains: readonly string[];
  /** The authorities that the certificates must lead to, PEM. */
  readonly authorityPem?: string;
  /** Where the processor can send callbacks to. */
  readonly receiver?: Pick<Receiver, 'received' | 'answer'> & { url(path: string): string };
  /** An identity whose data the processor holds and may hand out. */
  readonly known?: { readonly type: string; readonly value: string };
  /** A results link of a request that was completed more than seven days ago. */
  readonly oldResultsUrl?: string;
}

export interface ConformanceOptions {
  /** How long a change of status and a callback may take before the rules about them give up. */
  readonly waitMs: number;
  /** The same for the end of a portability request; undefined: as long as any other. */
  readonly portabilityWaitMs?: number;
  /** How often the processor sends callbacks: one that is missing after less time proves nothing. */
  readonly callbackIntervalMs: number;
  /** Also the rules by which docs/protocol.md closes open questions. */
  readonly notes: boolean;
  /** Also rules of more than a hundred calls. */
  readonly slow: boolean;
  /** Ids or prefixes of ids up to a dot; empty: every rule. */
  readonly only: readonly string[];
  readonly callsPerMinute: number;
  /** The type of requests that are to stay pending. */
  readonly pendingType: 'access' | 'portability' | 'erasure';
  /** Leaves the requests that the run made as they are. */
  readonly keep: boolean;
}

/** The interface's own, "Limits". */
const CALLBACK_INTERVAL_MS = 15 * 60_000;

export const defaultOptions: ConformanceOptions = {
  waitMs: 30_000,
  callbackIntervalMs: CALLBACK_INTERVAL_MS,
  notes: false,
  slow: false,
  only: [],
  callsPerMinute: 600,
  pendingType: 'portability',
  keep: false,
};

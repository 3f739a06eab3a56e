import type { Trust } from '../receiver/verification';
import type { TlsFiles } from '../receiver/receiver';
import type { ChildService, Environment } from './child-service';
import type { Stores } from './stores';

/** Something that a service kept: what it is, where, and its bytes. */
export interface Kept {
  readonly place: 'file' | 'record' | 'document' | 'log';
  readonly where: string;
  readonly bytes: Buffer;
}

/** A process of the service that runs now. */
export interface RunningPart {
  readonly name: string;
  readonly pid: number;
  /** Health, metrics and internal routes. */
  readonly adminUrl: string;
}

/** What a controller proves itself with: those of one workspace. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** A running service as the suite sees it, in whichever form. */
export interface Service {
  /** Addresses that controllers may use, one for each gateway; any of them answers anything. */
  readonly baseUrls: readonly string[];
  /** The same for version 1, which has separate listeners in one form of the service. */
  readonly baseUrlsV1: readonly string[];
  /** `{identity_url}` and `{events_url}` of the interface. */
  readonly ingestUrl: string;
  readonly key: string;
  readonly secret: string;
  /** Those of a second workspace, which must not notice the first. */
  readonly other: () => Promise<Credentials>;
  readonly trust: Trust;
  /** The same for version 1. */
  readonly trustV1: Trust;
  /** The signing files, `v2.key`, `v2.pem`, `v1.key`, `v1.pem`, and the `authority` that issued them. */
  readonly certificatesDir: string;
  /** For receivers that the service accepts. */
  readonly receiverTls: TlsFiles;
  readonly processes: readonly ChildService[];
  /** Those that run now, in their order. */
  parts(): readonly RunningPart[];
  /** What an operator's tool is started with, to reach the same stores with the same keys. */
  readonly operatorEnv: Environment;
  readonly stores: Stores;
  /** Kills every process at once and starts them again on what they left, with further settings. */
  crash(env?: Environment): Promise<void>;
  /** The same, but they are asked to stop; `meanwhile` happens while none runs. */
  restart(env?: Environment, meanwhile?: () => Promise<void>): Promise<void>;
  /** Asks those that answer calls about requests to stop, and starts them again with further settings. */
  restartGateways(env: Environment): Promise<void>;
  /** Everything that it has kept anywhere, logs of ended processes included. */
  kept(): AsyncIterable<Kept>;
  stop(): Promise<void>;
}

/** How long requests wait before they start. Portability requests stay pending through any test. */
export const ACCESS_WAIT_MS = 1_500;
export const COMPLETION_ESTIMATE_MS = 3_600_000;
const POLL_MS = 100;

/** For what calls from one address as often as it can, and is not about the limits. */
export const noRateLimits: Environment = {
  RATE_LIMIT_CALLS_PER_MINUTE: '0',
  RATE_LIMIT_CREATES_PER_DAY: '0',
  RATE_LIMIT_INGEST_CALLS_PER_MINUTE: '0',
  RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: '0',
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
};

/** Settings of both forms: seconds for a round, and workers that look often enough to meet a DELETE at the start. */
export const suiteSettings: Environment = {
  TIMING_PROFILE: 'sandbox',
  ACCESS_WAIT_MS: String(ACCESS_WAIT_MS),
  ERASURE_WAIT_MS: '1000',
  PORTABILITY_WAIT_MS: '3600000',
  COMPLETION_ESTIMATE_MS: String(COMPLETION_ESTIMATE_MS),
  CALLBACK_TICK_MS: '200',
  // The ledger shows a failed connection after the longest attempt. A slow check of a receiver on a busy machine must
  // not cause a second attempt.
  CALLBACK_TIMEOUT_MS: '10000',
  WORKER_POLL_MS: String(POLL_MS),
  SIGNING_RELOAD_MS: '100',
  LOG_LEVEL: 'debug',
  // The races make more calls at the same time than a process works on by itself.
  HTTP_CALLS_LIMIT: '1000',
  ...noRateLimits,
};

import { witnessesOf, type Witness } from '@opendsr-service/config';
import type { EgressSources } from '@opendsr-service/edge';
import type { EventLog, Replication } from '@opendsr-service/messaging';
import { ParkedRecords, type OwnDocuments, type Upstream } from '@opendsr-service/operator-answers';
import { replicationOf, type Clock, type Logger } from '@opendsr-service/service';
import type { Signers, Signing } from '@opendsr-service/signing';
import type { Storage } from '@opendsr-service/storage';
import type { NoteSigner } from '@opendsr-service/transparency';
import type { KeyRotation, LinkKeys, Vault } from '@opendsr-service/vault';
import type { Participants, Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import type { AdmissionTimes } from './admission/admissions';
import { admissionTimes, type SharedValues } from './gateway.config';
import type { LimitValues } from './http/limits/gateway-limits';
import type { ResultsSource } from './http/results/results-source';
import { operatorParts, type OperatorParts, type OperatorPlatform } from './operator/operator.config';
import { urlRulesOf, type CreateRules } from './intake/url-rules.config';
import type { ServedVersion } from './versions/served-version';
import { servedVersionsOf } from './versions/served-versions';
import type { RelayGaps } from './workers/resend-gap';

/** What is around the gateway in its process. */
export interface GatewayPlatform {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly vault: Vault;
  /** Absent where generations of workspace keys have no place, or never end. */
  readonly rotation?: KeyRotation | undefined;
  readonly linkKeys: LinkKeys;
  readonly workspaces: Workspaces;
  readonly participants: Pick<Participants, 'authenticate' | 'participantsOf' | 'list' | 'listAll'>;
  /** A version without a signer is not served. */
  readonly signers: Signers;
  /** Subscribes to new certificates; absent where they never change. */
  readonly beforeRenewal?: Signing['beforeRenewal'];
  /** Signs the checkpoints of the transparency log. */
  readonly logSigner: NoteSigner;
  /** Absent: this process does not serve the API of the operator. */
  readonly operator?: OperatorPlatform | undefined;
  /** The services that the operator's API asks; the gateway has documents of its own. By default none. */
  readonly upstreams?: ((gateway: OwnDocuments) => readonly Upstream[]) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a call waits for the limits database before this process decides alone. */
  readonly limitsTimeoutMs?: number;
  /** In place of DNS. */
  readonly addresses?: Pick<EgressSources, 'ofOtherHost'>;
}

export interface GatewayParts extends Omit<GatewayPlatform, 'operator' | 'upstreams'> {
  readonly connection: Connection;
  readonly versions: readonly ServedVersion[];
  /** Cosign checkpoints. */
  readonly witnesses: readonly Witness[];
  readonly signaturesKept: number;
  readonly results: ResultsSource;
  readonly createRules: CreateRules;
  readonly times: AdmissionTimes;
  readonly keyKeepMs: number;
  /** The longest time once one of its persons was erased. */
  readonly keyKeepErasedMs: number;
  readonly polls: Readonly<Record<'startMs' | 'relayMs' | 'keysMs' | 'metricsMs' | 'checkpointsMs', number>>;
  readonly relay: RelayGaps;
  readonly limits: LimitValues;
  readonly operator: OperatorParts | undefined;
  readonly upstreams: readonly Upstream[];
  /** How the topics must be replicated. */
  readonly replication: Replication;
  /** What this service answers about its own. */
  readonly documents: OwnDocuments;
  /** The sandbox workspace is created at boot. */
  readonly sandbox: { readonly key: string; readonly secret: string } | undefined;
}

export const gatewayParts = (
  platform: GatewayPlatform,
  connection: Connection,
  values: SharedValues,
  results: ResultsSource,
): GatewayParts => {
  const now = () => platform.clock.now().getTime();
  const documents = { parked: new ParkedRecords('gateway', connection, now) };
  return {
    ...platform,
    operator: platform.operator && operatorParts(platform.operator, values),
    upstreams: platform.upstreams?.(documents) ?? [],
    documents,
    replication: replicationOf(values),
    connection,
    versions: servedVersionsOf(values, platform.signers),
    signaturesKept: values.SIGNED_ANSWERS_KEPT,
    witnesses: witnessesOf(values),
    results,
    createRules: {
      ...urlRulesOf(values, platform.addresses),
      limits: { identities: values.CREATE_LIMIT_IDENTITIES, callbackUrls: values.CREATE_LIMIT_CALLBACK_URLS },
    },
    times: admissionTimes(values),
    keyKeepMs: values.REQUEST_KEY_KEEP_MS,
    keyKeepErasedMs: values.REQUEST_KEY_KEEP_ERASED_MS,
    polls: {
      startMs: values.WORKER_POLL_MS,
      relayMs: values.RELAY_POLL_MS,
      keysMs: values.SWEEP_POLL_MS,
      metricsMs: values.METRICS_INTERVAL_MS,
      checkpointsMs: values.CHECKPOINT_POLL_MS,
    },
    relay: { firstGapMs: values.RELAY_FIRST_GAP_MS, longestGapMs: values.RELAY_LONGEST_GAP_MS },
    limits: values,
    sandbox:
      values.SANDBOX_KEY && values.SANDBOX_SECRET
        ? { key: values.SANDBOX_KEY, secret: values.SANDBOX_SECRET }
        : undefined,
  };
};

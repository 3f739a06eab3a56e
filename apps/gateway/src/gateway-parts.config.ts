import { witnessesOf } from '@opendsr-service/config';
import type { EgressSources } from '@opendsr-service/edge';
import type { EventLog } from '@opendsr-service/messaging';
import { ParkedRecords, type OwnDocuments, type Upstream } from '@opendsr-service/operator-answers';
import type { Clock, Logger } from '@opendsr-service/service';
import type { Signers, Signing } from '@opendsr-service/signing';
import type { Storage } from '@opendsr-service/storage';
import type { NoteSigner } from '@opendsr-service/transparency';
import type { KeyRotation, LinkKeys, Vault } from '@opendsr-service/vault';
import type { Participants, Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import type { SharedValues } from './gateway.config';
import type { ResultsSource } from './http/results/results-source';
import type { OperatorPlatform } from './operator/operator.config';
import { servedVersionsOf } from './versions/served-versions';

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

export type GatewayParts = ReturnType<typeof gatewayParts>;

export function gatewayParts(
  platform: GatewayPlatform,
  connection: Connection,
  values: SharedValues,
  results: ResultsSource,
) {
  /** What this service answers about its own. */
  const documents: OwnDocuments = {
    parked: new ParkedRecords('gateway', connection, () => platform.clock.now().getTime()),
  };
  return {
    ...{ ...platform, connection, values, results, documents },
    upstreams: platform.upstreams?.(documents) ?? [],
    versions: servedVersionsOf(values, platform.signers),
    /** Cosign checkpoints. */
    witnesses: witnessesOf(values),
  };
}

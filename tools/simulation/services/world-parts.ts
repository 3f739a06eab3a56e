import type { KeyObject } from 'node:crypto';
import type { CallbackSender } from '@opendsr-service/callback-dispatcher';
import type { Keys } from '@opendsr-service/vault';
import type { Chance } from '../engine/chance';
import type { Owner } from '../engine/owner';
import type { Scheduler } from '../engine/scheduler';
import type { VirtualTime } from '../engine/virtual-time';
import type { Broker } from '../stores/broker';
import type { GenerationService } from '../stores/generation-service';
import type { Leases } from '../stores/leases';
import type { Stalls } from '../stores/stalls';
import type { Reader } from '../stores/simulated-log';

/** What the processes of a world share and what outlives them. */
export interface WorldParts {
  readonly dataDir: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly broker: Broker<Reader>;
  readonly leases: Leases;
  readonly stalls: Stalls;
  readonly masterKey: KeyObject;
  /** Absent: there are no generations. */
  readonly generations?: GenerationService | undefined;
  /** Sends callbacks of a process to the receivers. */
  readonly senderOf: (owner: Owner) => CallbackSender;
  /** Queries and writes that name no shard key. */
  readonly scattered: Set<string>;
  readonly diary: (line: string) => void;
}

/** What a process opens the database of keys with; without an owner, the simulation itself. */
export const keysOf = ({ masterKey, generations }: WorldParts, owner?: Owner): Keys => ({
  masterKey,
  generations: generations?.secretsOf(owner),
});

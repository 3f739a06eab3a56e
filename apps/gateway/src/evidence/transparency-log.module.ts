import type { EventLog } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { NoteSigner } from '@opendsr-service/transparency';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { AttestationsStore } from '../attestations/attestations.store';
import { EvidenceLeaves } from './evidence-leaves';
import { HeadStore } from './head.store';
import { LeavesStore } from './leaves.store';
import { PublishedLog } from './published-log';
import { Sequencer } from './sequencer';
import { TilesStore } from './tiles.store';

export interface TransparencyLogParts {
  readonly connection: Connection;
  readonly events: Pick<EventLog, 'read' | 'publisher'>;
  readonly vault: Pick<Vault, 'index'>;
  readonly logSigner: NoteSigner;
  readonly clock: Clock;
}

/** The transparency log of the installation (decision 25). */
export function openTransparencyLog({ connection, events, vault, logSigner: signer, clock }: TransparencyLogParts) {
  const [leaves, tiles, head] = [new LeavesStore(connection), new TilesStore(connection), new HeadStore(connection)];
  const attestations = new AttestationsStore(connection);
  const intake = new EvidenceLeaves({ leaves, attestations, vault, events, clock });
  return {
    ...{ leaves, attestations, intake },
    sequencer: new Sequencer({ leaves, tiles, head, intake, events, signer, clock }),
    published: new PublishedLog(head, leaves, tiles),
  };
}

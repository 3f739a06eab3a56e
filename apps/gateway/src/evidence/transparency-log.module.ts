import type { Witness } from '@opendsr-service/config';
import type { EventLog } from '@opendsr-service/messaging';
import { Poller, type Clock, type Logger } from '@opendsr-service/service';
import type { NoteSigner } from '@opendsr-service/transparency';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { AttestationsStore } from './attestations.store';
import { EvidenceLeaves } from './evidence-leaves';
import { CheckpointStore } from './checkpoint.store';
import { KeptTiles } from './kept-tiles';
import { LeavesStore } from './leaves.store';
import { PublishedLog } from './published-log';
import { Sequencer } from './sequencer';
import { TilesStore } from './tiles.store';
import { WitnessClient } from './witness.client';
import { WitnessesStore } from './witnesses.store';
import { Witnessing } from './witnessing';

export interface TransparencyLogParts {
  readonly connection: Connection;
  readonly events: Pick<EventLog, 'read' | 'publisher'>;
  readonly vault: Pick<Vault, 'index'>;
  readonly logSigner: NoteSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** The transparency log of the installation (decision 25). */
export function openTransparencyLog({
  connection,
  events,
  vault,
  logSigner: signer,
  clock,
  ...parts
}: TransparencyLogParts) {
  const [leaves, tiles, head] = [
    new LeavesStore(connection),
    new TilesStore(connection),
    new CheckpointStore(connection),
  ];
  const [attestations, store] = [new AttestationsStore(connection), new WitnessesStore(connection)];
  const kept = new KeptTiles(tiles);
  const evidenceLeaves = new EvidenceLeaves({ leaves, attestations, vault, events, clock });
  return {
    ...{ leaves, attestations, evidenceLeaves },
    sequencer: new Sequencer({ leaves, tiles, head, evidenceLeaves, events, signer, clock }),
    published: new PublishedLog(head, leaves, kept, store),
    witnessing: parts.witnesses.map(
      ({ verifier: witness, url }) =>
        new Witnessing({ witness, client: new WitnessClient(url), store, head, tiles: kept, clock, log: parts.log }),
    ),
  };
}

/** Signs and offers checkpoints. A witness has a poller of its own, so that a silent one delays nothing. */
export const logPollers = (
  sequencer: Sequencer,
  witnesses: readonly Witnessing[],
  intervalMs: number,
  log: Logger,
): Poller[] =>
  [sequencer, ...witnesses].map(
    (signing) =>
      new Poller({
        name: signing === sequencer ? 'checkpoints' : 'witness',
        intervalMs,
        longestIdleMs: intervalMs,
        run: () => signing.runOnce(),
        log,
      }),
  );

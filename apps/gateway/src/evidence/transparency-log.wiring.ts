import type { Witness } from '@opendsr-service/config';
import type { EventLog } from '@opendsr-service/messaging';
import { DueSignal, Poller, UNSIGNALLED_IDLE_MS, type Clock, type Logger } from '@opendsr-service/service';
import type { NoteSigner } from '@opendsr-service/transparency';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { AttestationsStore } from './attestations.store';
import { EntriesWithLeafStore } from './entries-with-leaf.store';
import { AuditedLeavesWorker } from './audited-leaves.worker';
import { EvidenceLeaves } from './evidence-leaves';
import { CheckpointStore } from './checkpoint.store';
import { KeptTiles } from './kept-tiles';
import { LeavesStore } from './leaves.store';
import { PublishedLog } from './published-log';
import { Sequencer } from './sequencer';
import { TilesStore } from './tiles.store';
import { witnessId } from './witness-id';
import { WitnessClient } from './witness.client';
import { WitnessesStore } from './witnesses.store';
import { Witnessing } from './witnessing';

export interface TransparencyLogParts {
  readonly connection: Connection;
  readonly events: Pick<EventLog, 'read' | 'publisher'>;
  readonly vault: Pick<Vault, 'index' | 'leafKey'>;
  readonly logSigner: NoteSigner;
  readonly witnesses: readonly Witness[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Wakes the pollers of this process; what another process leaves is found by their polling. */
export class LogSignals {
  /** Leaves were appended. */
  readonly grown = new DueSignal();
  /** A checkpoint was signed. */
  readonly signed = new DueSignal();
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
  const kept = new KeptTiles(tiles, clock);
  const witnessIds = parts.witnesses.map(({ verifier }) => witnessId(verifier));
  const signals = new LogSignals();
  const entries = new EntriesWithLeafStore(connection);
  const evidenceLeaves = new EvidenceLeaves({ leaves, attestations, vault, events, clock, grown: signals.grown });
  return {
    ...{ leaves, attestations, evidenceLeaves, signals },
    auditedLeaves: new AuditedLeavesWorker({
      ...{ entries, leaves, publisher: events.publisher, leafKey: vault.leafKey, clock },
    }),
    sequencer: new Sequencer({ leaves, tiles, head, evidenceLeaves, events, signer, clock, signed: signals.signed }),
    published: new PublishedLog(head, leaves, kept, { cosigned: () => store.cosigned(witnessIds) }),
    witnessing: parts.witnesses.map(
      ({ verifier: witness, url }) =>
        new Witnessing({ witness, client: new WitnessClient(url), store, head, tiles: kept, clock, log: parts.log }),
    ),
  };
}

interface LogSigning {
  readonly sequencer: Pick<Sequencer, 'runOnce' | 'leftForMs'>;
  readonly witnessing: readonly Pick<Witnessing, 'runOnce'>[];
  readonly signals: LogSignals;
}

/** Signs and offers checkpoints. A witness has a poller of its own, so that a silent one delays nothing. */
export const logPollers = (
  { sequencer, witnessing, signals }: LogSigning,
  intervalMs: number,
  log: Logger,
): Poller[] => [
  new Poller({
    name: 'checkpoints',
    intervalMs,
    wokenBy: signals.grown,
    run: () => sequencer.runOnce(),
    dueInMs: () => Promise.resolve(sequencer.leftForMs),
    // One checkpoint covers all leaves; those that come meanwhile share the next one.
    fullPage: Infinity,
    longestIdleMs: UNSIGNALLED_IDLE_MS,
    log,
  }),
  ...witnessing.map(
    (witness) =>
      new Poller({ name: 'witness', intervalMs, wokenBy: signals.signed, run: () => witness.runOnce(), log }),
  ),
];

/** The longest pause: an audit lets a leaf be late by an hour. */
const LONGEST_PAUSE_MS = 600_000;

/** Keeps the log: signs and offers checkpoints, and publishes what the audit trail has and the log lacks. */
export const evidencePollers = (
  opened: ReturnType<typeof openTransparencyLog>,
  { checkpointsMs, keysMs }: Readonly<Record<'checkpointsMs' | 'keysMs', number>>,
  log: Logger,
): Poller[] => [
  ...logPollers(opened, checkpointsMs, log),
  new Poller({
    name: 'audited leaves',
    intervalMs: keysMs,
    wokenBy: 'none',
    run: () => opened.auditedLeaves.runOnce(),
    // What was published is on its way into the database.
    fullPage: Infinity,
    longestIdleMs: LONGEST_PAUSE_MS,
    log,
  }),
];

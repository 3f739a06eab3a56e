import type { Publisher } from '@opendsr-service/messaging';
import { Poller, UNSIGNALLED_IDLE_MS, type Clock, type Logger } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { EndedHere } from '../admission/ended-here';
import type { openTransparencyLog } from '../evidence/transparency-log.wiring';
import { AttestationCounts } from './attestation-counts';
import { ATTESTATIONS_PAGE, AttestationsWorker } from './attestations.worker';
import { Attester, type AttesterParts } from './attester';
import { RequestAttestations } from './request-attestations';
import { SecondAttestationsWorker } from './second-attestations.worker';
import { UnattestedStore } from './unattested.store';

export interface AttestationParts extends Pick<AttesterParts, 'versions'> {
  readonly connection: Connection;
  readonly events: { readonly publisher: Pick<Publisher, 'publish' | 'available'> };
  readonly vault: Pick<Vault, 'lastGeneration' | 'isGenerationGone' | 'leafKey'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
}

/** The attestations of requests that have ended (decision 27). */
export function openAttestations(
  { connection, events: { publisher }, vault, versions, clock, log }: AttestationParts,
  { leaves, attestations, evidenceLeaves, published }: ReturnType<typeof openTransparencyLog>,
  { admissions, here }: { readonly admissions: Pick<AdmissionsStore, 'find'>; readonly here: EndedHere },
) {
  const counts = new AttestationCounts();
  const attester = new Attester({ versions, publisher, leafKey: vault.leafKey, clock });
  const shared = { attestations, attester, leaves, evidenceLeaves, vault, publisher, counts, clock, log };
  return {
    worker: new AttestationsWorker({ ...shared, requests: new UnattestedStore(connection), here }),
    seconds: new SecondAttestationsWorker(shared),
    counts,
    answers: new RequestAttestations(admissions, attestations, published, leaves),
  };
}

export const attestationPollers = (
  { worker, seconds }: Pick<ReturnType<typeof openAttestations>, 'worker' | 'seconds'>,
  { checkpointsMs, keysMs }: Readonly<Record<'checkpointsMs' | 'keysMs', number>>,
  log: Logger,
): Poller[] => [
  new Poller({
    name: 'attestations',
    // The pace of the log, which waits for them: the slower, the more of them share a write.
    intervalMs: checkpointsMs,
    wokenBy: worker.signal,
    run: () => worker.runOnce(),
    fullPage: ATTESTATIONS_PAGE,
    longestIdleMs: UNSIGNALLED_IDLE_MS,
    log,
  }),
  new Poller({ name: 'second attestations', intervalMs: keysMs, run: () => seconds.runOnce(), log }),
];

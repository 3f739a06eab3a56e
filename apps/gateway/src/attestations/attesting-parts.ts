import type { Publisher } from '@opendsr-service/messaging';
import type { Clock, Logger } from '@opendsr-service/service';
import type { AttestationsStore } from '../evidence/attestations.store';
import type { EvidenceLeaves } from '../evidence/evidence-leaves';
import type { LeavesStore } from '../evidence/leaves.store';
import type { AttestationCounts } from './attestation-counts';
import type { Attester } from './attester';

/** What first and second statements are made with. */
export interface AttestingParts {
  readonly attestations: AttestationsStore;
  readonly attester: Attester;
  readonly leaves: Pick<LeavesStore, 'idsAmong'>;
  readonly evidenceLeaves: Pick<EvidenceLeaves, 'readAgain'>;
  readonly publisher: Pick<Publisher, 'available'>;
  readonly counts: Pick<AttestationCounts, 'made'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
}

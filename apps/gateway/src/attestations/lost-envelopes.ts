import type { Logger } from '@opendsr-service/service';
import type { AttestationDocument, Said } from '../evidence/attestation.document';
import type { AttestationsStore } from '../evidence/attestations.store';
import type { EvidenceLeaves } from '../evidence/evidence-leaves';

interface LostEnvelopesParts {
  readonly attestations: Pick<AttestationsStore, 'findAll'>;
  readonly evidenceLeaves: Pick<EvidenceLeaves, 'readAgain'>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Attestations of these, whose leaves are there. A copy of the database may hold the leaf of an attestation and not the
 * attestation: it is read from the log again, and never signed a second time.
 */
export async function broughtBack(
  said: readonly Said[],
  { attestations, evidenceLeaves, log }: LostEnvelopesParts,
): Promise<readonly AttestationDocument[]> {
  if (said.length === 0) return [];
  const known = await attestations.findAll(said);
  if (known.length === said.length) return known;
  await evidenceLeaves.readAgain();
  const back = await attestations.findAll(said);
  const lost = said.length - back.length;
  // The audit names them; another read of the whole topic would find no more.
  if (lost > 0) log.error({ count: lost }, 'An attestation is in the log, and its envelope is lost');
  return back;
}

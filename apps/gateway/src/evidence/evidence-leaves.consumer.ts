import { Controller, Inject } from '@nestjs/common';
import { TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { EvidenceLeaves } from './evidence-leaves';

/** The consumer group that takes leaves: of its members one has the only partition. */
export const EVIDENCE_GROUP = Symbol('evidence');

@Controller()
export class EvidenceLeavesConsumer {
  constructor(@Inject(EvidenceLeaves) private readonly leaves: EvidenceLeaves) {}

  @ConsumeBatch(TOPICS.evidenceLeaves.name, EVIDENCE_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return this.leaves.take(records);
  }
}

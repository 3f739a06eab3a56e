import { Controller, Inject } from '@nestjs/common';
import { evidenceLeaves, MalformedMessage, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { EvidenceLeaves } from './evidence-leaves';

/** The consumer group that takes leaves: of its members one has the only partition. */
export const EVIDENCE_GROUP = Symbol('evidence');

@Controller()
export class EvidenceLeavesConsumer {
  constructor(@Inject(EvidenceLeaves) private readonly leaves: EvidenceLeaves) {}

  /** A malformed record is parked aside, for people to look at: it blocks no leaf. */
  @ConsumeBatch(TOPICS.evidenceLeaves.name, EVIDENCE_GROUP)
  async handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const verdicts = records.map(verdictOf);
    await this.leaves.take(records.filter((_record, n) => verdicts[n] === 'done'));
    return verdicts;
  }
}

function verdictOf(record: LogRecord): Verdict {
  try {
    evidenceLeaves.decode(record);
    return 'done';
  } catch (error) {
    if (error instanceof MalformedMessage) return { park: error.reason, aside: true };
    throw error;
  }
}

import { createSecretKey, randomBytes } from 'node:crypto';
import { isRecordSignedBy, participantReports, TOPICS, type ParticipantReport } from '@opendsr-service/contracts';
import type { OutgoingRecord, Publisher } from '@opendsr-service/messaging';
import type { Faults } from '@opendsr-service/storage/testing';

export const REPORT_KEY = createSecretKey(randomBytes(32));

/** Records signed reports. */
export class ReportsSeen implements Publisher {
  readonly available = true;
  readonly srids: string[] = [];
  readonly destroyed: ParticipantReport['destroyed'][] = [];
  constructor(private readonly faults?: Faults) {}

  publish(topic: string, records: readonly OutgoingRecord[]): Promise<void> {
    this.faults?.write();
    for (const { value, headers } of records) {
      const record = { value: Buffer.from(value), headers };
      const report = participantReports.decode(record);
      expect([topic, report.participant, report.status, isRecordSignedBy(record, REPORT_KEY)]).toEqual([
        TOPICS.participantReports.name,
        'results',
        'completed',
        true,
      ]);
      this.srids.push(report.srid);
      this.destroyed.push(report.destroyed);
    }
    return Promise.resolve();
  }
}

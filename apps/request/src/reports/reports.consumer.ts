import { Controller, Inject } from '@nestjs/common';
import {
  isReportSignedBy,
  MalformedMessage,
  PARTICIPANTS,
  participantReports,
  TOPICS,
} from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { RequestCommandHandler } from '../aggregates/request-command-handler';
import { REQUEST_GROUP, REQUEST_WIDTH } from '../tokens';
import { ReportKeys } from './report-keys';

/** An erasure must not complete while data or archives remain. */
const OUR_OWN: readonly string[] = Object.values(PARTICIPANTS);

/** Parked aside: one participant's bad report must not block the other reports of the request. */
const aside = (reason: string): Verdict => ({ park: reason, aside: true });

/** Handles participants' reports; parks an invalid one with its reason (decision 8). */
@Controller()
export class ReportsConsumer {
  constructor(
    @Inject(RequestCommandHandler) private readonly requests: RequestCommandHandler,
    @Inject(ReportKeys) private readonly keys: ReportKeys,
  ) {}

  @ConsumeBatch(TOPICS.participantReports.name, REQUEST_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(
      records,
      async (record) => {
        try {
          return await this.handleReport(record);
        } catch (error) {
          if (error instanceof MalformedMessage) return aside(error.reason);
          throw error;
        }
      },
      { width: REQUEST_WIDTH },
    );
  }

  /** Before the signature is verified, only the name of the signer is used. */
  private async handleReport(record: LogRecord): Promise<Verdict> {
    const report = participantReports.decode(record);
    if (report.waivedBy !== undefined && OUR_OWN.includes(report.participant)) return aside('not-waivable');
    const key = await this.keys.keyOf(report);
    if (!key) return aside('not-registered');
    if (!isReportSignedBy(record, key)) return aside('wrong-signature');
    if (report.waivedBy !== undefined && report.status !== 'skipped')
      throw new MalformedMessage('waived-but-not-skipped');
    const outcome = await this.requests.handle(report);
    if (outcome === 'done') return 'done';
    return outcome === 'repeat' || outcome === 'gap' ? 'skip' : aside(outcome);
  }
}

import type { KeyObject } from 'node:crypto';
import { PARTICIPANTS, participantReport, signRecord, TOPICS, type Destroyed } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';

/** Reports that results has done its share of a request, signed like any participant's report (decision 8). */
export class ParticipantReports {
  constructor(
    private readonly publisher: Publisher,
    private readonly key: KeyObject,
    private readonly clock: Clock,
  ) {}

  async reportCompleted(request: { readonly ws: string; readonly srid: string }, destroyed?: Destroyed): Promise<void> {
    const share = { status: 'completed', ...(destroyed && { destroyed }) } as const;
    const report = participantReport(PARTICIPANTS.results, request, share, this.clock.now());
    await this.publisher.publish(TOPICS.participantReports.name, [signRecord(report, this.key)]);
  }
}

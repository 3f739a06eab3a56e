import { TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { MasterSeal } from '@opendsr-service/vault';
import { waiverReport, type Waiver } from '@opendsr-service/workspaces';
import { publishAcknowledged } from './publish-acknowledged';

/** Publishes waivers, as `dsr participants waive` does. A repeat counts once. */
export class Waivers {
  constructor(
    private readonly publisher: Publisher,
    private readonly seal: MasterSeal,
  ) {}

  /** Throws a 503 where the event log does not acknowledge in time. */
  async publish(waiver: Waiver): Promise<void> {
    await publishAcknowledged(this.publisher, TOPICS.participantReports.name, waiverReport(this.seal, waiver));
  }
}

import { TOPICS } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import { PublishRefused, PublishTimeout, type Publisher } from '@opendsr-service/messaging';
import type { MasterSeal } from '@opendsr-service/vault';
import { waiverReport, type Waiver } from '@opendsr-service/workspaces';

const DEADLINE_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;

/** Publishes waivers, as `dsr participants waive` does. A repeat counts once. */
export class Waivers {
  constructor(
    private readonly publisher: Publisher,
    private readonly seal: MasterSeal,
  ) {}

  /** Throws a 503 where the event log does not acknowledge in time. */
  async publish(waiver: Waiver): Promise<void> {
    const { publisher, seal } = this;
    if (!publisher.available) throw unavailable(RETRY_AFTER_SECONDS);
    const report = waiverReport(seal, waiver);
    await publisher
      .publish(TOPICS.participantReports.name, [report], { deadlineMs: DEADLINE_MS })
      .catch((error: unknown) => {
        throw error instanceof PublishTimeout || error instanceof PublishRefused
          ? unavailable(RETRY_AFTER_SECONDS)
          : error;
      });
  }
}

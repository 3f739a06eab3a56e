import { commands, TOPICS } from '@opendsr-service/contracts';
import { isUnacknowledged, type Publisher } from '@opendsr-service/messaging';
import { commandOf } from './commands';
import type { RequestDocument } from './request.document';

/** Publishes the commands of an admission. Only the answering event empties the outbox (decision 1). */
export class CommandPublisher {
  constructor(private readonly publisher: Publisher) {}

  get available(): boolean {
    return this.publisher.available;
  }

  /** False: the log did not acknowledge in time; the relay sends it again. */
  async send(request: RequestDocument, deadlineMs: number): Promise<boolean> {
    const records = request.outbox.map((entry) => commands.encode(commandOf(request, entry)));
    try {
      await this.publisher.publish(TOPICS.commands.name, records, { deadlineMs });
      return true;
    } catch (error) {
      if (isUnacknowledged(error)) return false;
      throw error;
    }
  }
}

import { commands, TOPICS } from '@opendsr-service/contracts';
import { PublishRefused, PublishTimeout, type Publisher } from '@opendsr-service/messaging';
import { commandOf } from './commands';
import type { RequestDocument } from './request.document';

/** Sends the commands of an admission to the log. Nothing is noted of a success: the outbox empties when the event comes back (D1). */
export class Outbox {
  constructor(private readonly publisher: Publisher) {}

  get available(): boolean {
    return this.publisher.available;
  }

  /** Sends the whole outbox in order. False: the log did not acknowledge in time, and the relay will send it again. */
  async send(request: RequestDocument, deadlineMs: number): Promise<boolean> {
    if (!this.publisher.available) return false;
    const records = request.outbox.map((entry) => commands.encode(commandOf(request, entry)));
    try {
      await this.publisher.publish(TOPICS.commands.name, records, { deadlineMs });
      return true;
    } catch (error) {
      if (error instanceof PublishTimeout || error instanceof PublishRefused) return false;
      throw error;
    }
  }
}

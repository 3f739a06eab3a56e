import { commands, messageId, TOPICS, type ReplayCallback } from '@opendsr-service/contracts';
import { isUnacknowledged, type Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { LedgerEntry } from './ledger-entry';

/** A caller can repeat the request: its command has the same id. */
const DEADLINE_MS = 5_000;

export class CallbackReplays {
  constructor(
    private readonly publisher: Publisher,
    private readonly clock: Clock,
  ) {}

  /** False: the log did not acknowledge in time. The command may still arrive; a repeat has the same id. */
  async request(entry: LedgerEntry): Promise<boolean> {
    try {
      await this.publisher.publish(TOPICS.commands.name, [commands.encode(replayOf(entry, this.clock.now()))], {
        deadlineMs: DEADLINE_MS,
      });
      return true;
    } catch (error) {
      if (isUnacknowledged(error)) return false;
      throw error;
    }
  }
}

/** One id for each queueing, dated later than that queueing whatever the clock shows. */
function replayOf({ ws, srid, destination, delivery, version, queuedAt }: LedgerEntry, now: Date): ReplayCallback {
  const queuedMs = queuedAt?.getTime() ?? 0;
  const at = new Date(Math.max(now.getTime(), queuedMs + 1)).toISOString();
  return {
    type: 'ReplayCallback',
    id: messageId(delivery, 'replay', queuedMs),
    ws,
    srid,
    at,
    destination,
    delivery,
    version,
  };
}

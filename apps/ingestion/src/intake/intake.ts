import { randomUUID } from 'node:crypto';
import { ingestEvents, ingestProfiles, TOPICS } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import { PublishRefused, PublishTimeout, type Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import { isStorageUnavailable } from '@opendsr-service/storage';
import { IdentitiesBusy, type Subject } from '../identities/subject';
import { losslessJson } from '../profiles/lossless';

const ACKNOWLEDGED_WITHIN_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;

/** What was taken in goes into the log, sealed under its subject's key; it counts as taken once the log acknowledged it. */
export class Intake {
  constructor(
    private readonly publisher: Publisher,
    private readonly clock: Clock,
  ) {}

  async attributes(ws: string, { mpid, key }: Subject, attributes: Readonly<Record<string, unknown>>): Promise<void> {
    const sealed = key.seal({ ws, subject: mpid, field: 'attributes' }, losslessJson(attributes));
    const message = ingestProfiles.encode({ type: 'AttributesReceived', ...this.head(ws, mpid), kid: key.kid, attributes: sealed });
    await this.publisher.publish(TOPICS.ingestProfiles.name, [message], { deadlineMs: ACKNOWLEDGED_WITHIN_MS });
  }

  /** `body`: the batch as it came. */
  async batch(ws: string, { mpid, key }: Subject, body: Buffer): Promise<void> {
    const sealed = key.seal({ ws, subject: mpid, field: 'batch' }, body);
    const message = ingestEvents.encode({ type: 'BatchReceived', ...this.head(ws, mpid), kid: key.kid, batch: sealed });
    await this.publisher.publish(TOPICS.ingestEvents.name, [message], { deadlineMs: ACKNOWLEDGED_WITHIN_MS });
  }

  private head(ws: string, mpid: string) {
    return { id: randomUUID(), ws, mpid, at: this.clock.now().toISOString() };
  }
}

/** Runs the work of a call; what is only away for a while becomes a 503 that says when to come again. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAway = error instanceof PublishTimeout || error instanceof PublishRefused || error instanceof IdentitiesBusy || isStorageUnavailable(error);
    throw isAway ? unavailable(RETRY_AFTER_SECONDS) : error;
  }
}

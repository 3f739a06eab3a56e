import { ingestEvents, ingestProfiles, orderedMessageId, TOPICS } from '@opendsr-service/contracts';
import { errorOfStatus } from '@opendsr-service/edge';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { Subject } from '../identities/subject';
import type { Attributes } from '../profiles/attributes';
import { losslessJson } from '../profiles/lossless';

/** Sealed, which makes four thirds of it, it fits into a record. */
const MOST_ATTRIBUTES_BYTES = 655_360;

const ACKNOWLEDGED_WITHIN_MS = 5_000;

type Owner = Pick<Subject, 'mpid' | 'key'>;

/** `sourceRequest`: the keyed hash of the caller's id of the batch. */
interface OwnedBatch {
  readonly subject: Owner;
  readonly body: Buffer;
  readonly sourceRequest?: string;
}

/** Publishes data sealed under the key of its subject. Data counts as taken once the log has acknowledged it. */
export class IngestPublisher {
  constructor(
    private readonly publisher: Publisher,
    private readonly clock: Clock,
  ) {}

  /** `json`: from `attributesJson`. */
  async publishAttributes(ws: string, { mpid, key }: Owner, json: string): Promise<void> {
    const sealed = key.seal({ ws, subject: mpid, field: 'attributes' }, json);
    const message = ingestProfiles.encode({
      type: 'AttributesReceived',
      ...headOf(ws, mpid, this.clock.now()),
      kid: key.kid,
      attributes: sealed,
    });
    await this.publisher.publish(TOPICS.ingestProfiles.name, [message], { deadlineMs: ACKNOWLEDGED_WITHIN_MS });
  }

  /** One publish for all, which keeps the order within a profile. */
  async publishBatches(ws: string, batches: readonly OwnedBatch[]): Promise<void> {
    if (batches.length === 0) return;
    const at = this.clock.now();
    const messages = batches.map((batch) => messageOf(ws, batch, at));
    await this.publisher.publish(TOPICS.ingestEvents.name, messages, { deadlineMs: ACKNOWLEDGED_WITHIN_MS });
  }
}

/** Throws a 413 ApiError: numbers may take five times as many digits as the caller wrote, such as 1e20. */
export function attributesJson(attributes: Attributes): string {
  const json = losslessJson(attributes);
  if (Buffer.byteLength(json) > MOST_ATTRIBUTES_BYTES) throw errorOfStatus(413);
  return json;
}

function messageOf(ws: string, { subject: { mpid, key }, body, sourceRequest }: OwnedBatch, at: Date) {
  const batch = key.seal({ ws, subject: mpid, field: 'batch' }, body);
  return ingestEvents.encode({
    type: 'BatchReceived',
    ...headOf(ws, mpid, at),
    kid: key.kid,
    batch,
    ...(sourceRequest !== undefined && { sourceRequest }),
  });
}

/** Batches of one call have the same time, so exports sort them by id. */
const headOf = (ws: string, mpid: string, at: Date) => ({ id: orderedMessageId(), ws, mpid, at: at.toISOString() });

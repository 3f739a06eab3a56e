import { Controller, Inject } from '@nestjs/common';
import { ingestEvents, TOPICS, type BatchReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Logger } from '@opendsr-service/service';
import { INGESTION_DATA_GROUP, LOG } from '../tokens';
import { BatchesStore } from './batches.store';
import { decodeEach } from './decode-each';
import { openSeal, SEAL_BROKEN } from './open-seal';
import { SourceRequestsStore } from './source-requests.store';
import { ProfileKeys } from './profile-keys';

/** Stores batches. Skips batches of erased subjects or without profile, and repeats. */
@Controller()
export class BatchesConsumer {
  constructor(
    private readonly batches: BatchesStore,
    private readonly sourceRequests: SourceRequestsStore,
    private readonly keys: ProfileKeys,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  @ConsumeBatch(TOPICS.ingestEvents.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const { decoded, verdicts } = decodeEach(ingestEvents, records);
    const keys = await this.keys.findLive(decoded.map(({ message }) => message));
    const living = decoded.flatMap(({ index, message }, n) => {
      const key = keys[n];
      // A broken seal would break every export of the profile.
      return key
        ? [{ index, message, isSound: openSeal(key, sealContextOf(message), message.batch) !== undefined }]
        : [];
    });
    const readable = living.filter(({ isSound }) => isSound);
    const repeated = await this.sourceRequests.findRepeated(
      readable.flatMap(({ message }) => sourceRequestOf(message)),
    );
    const kept = readable.filter(({ message }) => !repeated.has(message.id));
    await this.batches.keep(kept.map(({ message }) => documentOf(message)));
    this.logRepeated(readable.length - kept.length);
    for (const { index } of decoded) verdicts[index] = 'key-gone';
    for (const { index, isSound } of living) verdicts[index] = isSound ? 'skip' : SEAL_BROKEN;
    for (const { index } of kept) verdicts[index] = 'done';
    return verdicts;
  }

  private logRepeated(count: number): void {
    if (count > 0) this.log.info({ count, topic: TOPICS.ingestEvents.name }, 'Repeated batches were not stored again');
  }
}

const sealContextOf = ({ ws, mpid }: BatchReceived) => ({ ws, subject: mpid, field: 'batch' });

const documentOf = ({ id, ws, mpid, kid, batch, at }: BatchReceived) => ({
  _id: id,
  ws,
  mpid,
  kid,
  sealed: batch,
  at: new Date(at),
});

const sourceRequestOf = ({ id, ws, at, sourceRequest }: BatchReceived) =>
  sourceRequest === undefined ? [] : [{ ws, hash: sourceRequest, messageId: id, at: new Date(at) }];

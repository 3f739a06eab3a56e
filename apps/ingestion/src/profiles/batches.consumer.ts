import { Controller, Inject } from '@nestjs/common';
import { ingestEvents, TOPICS, type BatchReceived } from '@opendsr-service/contracts';
import { ConsumeBatch, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Log } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import { INGESTION_DATA_GROUP, LOG, VAULT } from '../tokens';
import { BatchesStore } from './batches.store';

/** Stores batches of events. One of a person erased in the meantime is left out: nobody could read it any more. */
@Controller()
export class BatchesConsumer {
  constructor(
    private readonly batches: BatchesStore,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @ConsumeBatch(TOPICS.ingestEvents.name, INGESTION_DATA_GROUP)
  async store(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const received = records.map((record) => ingestEvents.decode(record));
    const readable = await Promise.all(received.map(({ ws, kid }) => this.vault.key(ws, kid)));
    const kept = received.filter((_, n) => readable[n]);
    await this.batches.keep(kept.map(documentOf));
    if (kept.length < received.length) this.log.info({ count: received.length - kept.length, topic: TOPICS.ingestEvents.name, reason: 'key-destroyed' }, 'Records skipped');
    return readable.map((key) => (key ? 'done' : 'skip'));
  }
}

const documentOf = ({ id, ws, mpid, kid, batch, at }: BatchReceived) => ({ _id: id, ws, mpid, kid, sealed: batch, at: new Date(at) });

import { TOPICS } from '@opendsr-service/contracts';
import type { EventLog } from '@opendsr-service/messaging';

/** When the newest record of an embedded log was written. Undefined where it holds none, and for Kafka, which is no copy. */
export async function newestRecordAt(events: Pick<EventLog, 'kind' | 'lag' | 'read'>): Promise<Date | undefined> {
  if (events.kind === 'kafka') return undefined;
  const topics = Object.values(TOPICS).map(({ name }) => name);
  let newestMs = -Infinity;
  for (const { topic, partition, end } of await events.lag('restore', topics)) {
    if (end === '0') continue;
    await events.read(topic, { [partition]: String(BigInt(end) - 1n) }, (records) => {
      for (const { timestampMs } of records) newestMs = Math.max(newestMs, timestampMs);
      return Promise.resolve();
    });
  }
  return Number.isFinite(newestMs) ? new Date(newestMs) : undefined;
}

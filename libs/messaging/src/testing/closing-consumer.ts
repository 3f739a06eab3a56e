/// <reference types="../kafka/kafkajs-internals" />
import { setTimeout as delay } from 'node:timers/promises';
import Cluster from 'kafkajs/src/cluster';
import { openLog } from '../open-log';

export interface ClosingTask {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly group: string;
  /** What closes it: that its client no longer knows of a broker, or knows of one again. */
  readonly when: 'gone' | 'back';
}

const handlerMs = 3_000;
const closeAfterMs = 300;

/** Resolves when the set of brokers that the client knows of has changed so. */
function change(when: ClosingTask['when']): Promise<void> {
  const { prototype } = Cluster;
  const { getNodeIds } = prototype;
  let before = 0;
  let wasGone = false;
  return new Promise((resolve) => {
    prototype.getNodeIds = function () {
      const ids = getNodeIds.call(this);
      if (ids.length < before) wasGone = true;
      if (wasGone && (when === 'gone' || ids.length > before)) resolve();
      before = ids.length;
      return ids;
    };
  });
}

const { brokers, topic, group, when } = JSON.parse(process.argv[2] ?? '{}') as ClosingTask;
const changed = change(when);
const log = await openLog({ kafka: { brokers, clientId: group } });
const consumer = await log.consume({
  group,
  topics: [topic],
  maxBatch: 1,
  handle: async (records) => {
    process.stdout.write('"handling"\n');
    await delay(handlerMs);
    return records.map(() => 'done');
  },
  parking: { parkedKeys: () => Promise.resolve(new Set<string>()), park: () => Promise.resolve() },
  isInfrastructureError: () => false,
  onFatal: () => process.exit(3),
});
await changed;
await delay(closeAfterMs);
process.stdout.write('"closing"\n');
await consumer.close();
await log.close();
process.exit(0);

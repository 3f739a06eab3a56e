/// <reference types="../kafka/kafkajs-internals" />
import { setTimeout as delay } from 'node:timers/promises';
import Cluster from 'kafkajs/src/cluster';
import { openLog } from '../open-log';

export interface ClosingTask {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly group: string;
}

/** Not all alike, so that one handler runs while another fetcher finds that the brokers changed. */
const handlerMs = (): number => 1_000 + Math.random() * 4_000;
const closeAfterMs = 300;

/** Resolves when a client no longer knows of a broker. */
function loss(): Promise<void> {
  const { prototype } = Cluster;
  const { getNodeIds } = prototype;
  let before = 0;
  return new Promise((resolve) => {
    prototype.getNodeIds = function () {
      const ids = getNodeIds.call(this);
      if (ids.length < before) resolve();
      before = ids.length;
      return ids;
    };
  });
}

const { brokers, topic, group } = JSON.parse(process.argv[2] ?? '{}') as ClosingTask;
const lost = loss();
const log = await openLog({ kafka: { brokers, clientId: group } });
const consumer = await log.consume({
  group,
  topics: [topic],
  handle: async (records) => {
    process.stdout.write('"handling"\n');
    await delay(handlerMs());
    return records.map(() => 'done');
  },
  parking: {
    assigned: () => undefined,
    parkedKeys: () => Promise.resolve(new Set<string>()),
    park: () => Promise.resolve(),
  },
  isInfrastructureError: () => false,
  onFatal: () => process.exit(3),
});
await lost;
await delay(closeAfterMs);
process.stdout.write('"closing"\n');
await consumer.close();
await log.close();
process.exit(0);

/// <reference types="./kafkajs-internals" />
import type { Kafka } from 'kafkajs';
import type Cluster from 'kafkajs/src/cluster';

/** A cluster of a client, which kafkajs makes for its own parts and does not export. `patch.spec.ts` checks its version. */
export function clusterOf(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (!symbol) throw new Error('kafkajs is not the version that this was written for');
  return (kafka as unknown as Record<symbol, (options: object) => Cluster>)[symbol]!({
    metadataMaxAge: 0,
    allowAutoTopicCreation: false,
  });
}

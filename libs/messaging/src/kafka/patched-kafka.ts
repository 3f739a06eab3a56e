import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import { patchKafkajs } from './patch';
import { openSocket } from './sockets';

/** A patched client of kafkajs, for tools and specs. Silent unless `config` sets a log level. */
export function patchedKafka(config: KafkaConfig): Kafka {
  patchKafkajs();
  return new Kafka({ logLevel: logLevel.NOTHING, socketFactory: openSocket, ...config });
}

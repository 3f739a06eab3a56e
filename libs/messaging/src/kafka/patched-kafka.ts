import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import { patchKafkajs } from './patch';
import { openSocket } from './sockets';

/**
 * A client of kafkajs as this process uses it, patched, without anything of ours around it: for tools and specs that
 * ask, break or measure brokers
 * themselves. Services open a log. Says nothing where `config` does not make it.
 */
export function patchedKafka(config: KafkaConfig): Kafka {
  patchKafkajs();
  return new Kafka({ logLevel: logLevel.NOTHING, socketFactory: openSocket, ...config });
}

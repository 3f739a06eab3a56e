import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { World } from '@opendsr-service/gateway/testing';
import { openLog } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull } from '@opendsr-service/storage/testing';
import { tamperingContract } from './tampering.contract';

const { DSR_TEST_MONGODB_URI: mongodbUri = '', DSR_TEST_KAFKA_BROKERS: brokers = '' } = process.env;
/** Those of the gateway, and of its process. */
const DATABASES = ['gateway', 'keys', 'workspaces', 'keys-of-service', 'workspaces-of-service'];

describeInFull('on servers', () => {
  tamperingContract('MongoDB and Kafka', async () => {
    const name = `tampering-${randomUUID().slice(0, 8)}`;
    const [databasePrefix, topicPrefix] = [`${name}_`, `${name}.`];
    const storage = await openStorage({ mongodbUri, databasePrefix });
    const log = await openLog({ kafka: { brokers: brokers.split(','), clientId: name, topicPrefix } });
    const world = await World.open({ storage, log });
    const env = {
      ...{ MONGODB_URI: mongodbUri, MONGODB_DATABASE_PREFIX: databasePrefix },
      ...{ KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: topicPrefix },
    };
    const close = async () => {
      for (const database of DATABASES) await (await storage.database(database)).dropDatabase();
      await world.close();
    };
    return { world, env, close };
  });
});

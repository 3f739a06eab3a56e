import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { destroyedContract, destroyedSettings } from './destroyed.contract';
import { startPlainMongod } from './destroyed/testing/plain-mongod';
import { startFiveProcesses } from './five-processes';
import { FULL } from './full';
import { startStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_SERVERS: servers } = process.env;

if (FULL) destroyedContract('embedded stores', () => startStandalone(destroyedSettings));

if (FULL && kafkaBrokers && servers)
  destroyedContract('five processes on Kafka and MongoDB', async () => {
    const generations = await mkdtemp(join(tmpdir(), 'opendsr-generations-'));
    const mongod = await startPlainMongod(servers);
    const clear = async () => {
      await mongod.stop();
      await rm(generations, { recursive: true });
    };
    const service = await startFiveProcesses(
      { kafkaBrokers, mongodbUri: mongod.uri },
      { ...destroyedSettings, KEY_GENERATION_FOLDER: generations },
    ).catch(async (error: unknown) => {
      await clear();
      throw error;
    });
    return {
      ...service,
      stop: async () => {
        await service.stop();
        await clear();
      },
    };
  });
else
  describe.skip('what was erased, on five processes', () =>
    it('needs a Kafka, and DSR_TEST_SERVERS for a mongod of its own', () => undefined));

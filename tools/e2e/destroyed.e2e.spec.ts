import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { destroyedContract, destroyedSettings } from './destroyed.contract';
import { startFiveProcesses } from './five-processes';
import { FULL } from './full';
import { startStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;

destroyedContract('embedded stores', () => startStandalone(destroyedSettings));

if (FULL && kafkaBrokers && mongodbUri)
  destroyedContract('five processes on Kafka and MongoDB', async () => {
    const generations = await mkdtemp(join(tmpdir(), 'opendsr-generations-'));
    const service = await startFiveProcesses(
      { kafkaBrokers, mongodbUri },
      { ...destroyedSettings, KEY_GENERATION_FOLDER: generations },
    );
    return {
      ...service,
      stop: async () => {
        await service.stop();
        await rm(generations, { recursive: true });
      },
    };
  });
else describe.skip('what was erased, on five processes', () => it('needs servers', () => undefined));

import { startFiveProcesses } from './five-processes';
import { serviceContract } from './suite.contract';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;

// Without real servers `npm test` prints one line, or fails if they are required.
if (kafkaBrokers && mongodbUri)
  serviceContract({ name: 'five processes on Kafka and MongoDB', onMongodb: true, half: 'behind' }, () =>
    startFiveProcesses({ kafkaBrokers, mongodbUri }),
  );
else it.skip('five processes on Kafka and MongoDB', () => undefined);

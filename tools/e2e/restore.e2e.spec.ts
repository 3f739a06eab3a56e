import { startFiveProcesses } from './five-processes';
import { restoreContract, restoreSettings } from './restore.contract';
import { DATABASES } from './restore/copies';
import { startStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri, DSR_E2E } = process.env;

restoreContract('embedded stores', () => startStandalone(restoreSettings), DATABASES);

if (kafkaBrokers && mongodbUri)
  restoreContract(
    'five processes and real servers',
    () => startFiveProcesses({ kafkaBrokers, mongodbUri }, restoreSettings),
    DSR_E2E === 'full' ? DATABASES : [],
  );
else
  describe.skip('databases restored from older copies, on five processes and real servers', () =>
    it('needs them', () => undefined));

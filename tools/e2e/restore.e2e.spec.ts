import { startFiveProcesses } from './five-processes';
import { FULL } from './full';
import { restoreContract, restoreSettings } from './restore.contract';
import { DATABASES } from './restore/copies';
import { startStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;

/** The databases that are lost by themselves, beside all of them together. */
const each = FULL ? DATABASES : [];

restoreContract('embedded stores', () => startStandalone(restoreSettings), each);

if (FULL && kafkaBrokers && mongodbUri)
  restoreContract(
    'five processes and real servers',
    () => startFiveProcesses({ kafkaBrokers, mongodbUri }, restoreSettings),
    each,
  );
else
  describe.skip('databases restored from older copies, on five processes and real servers', () =>
    it('needs them', () => undefined));

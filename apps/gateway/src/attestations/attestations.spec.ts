import { describeInFull, embeddedStorage } from '@opendsr-service/storage/testing';
import { attestationsContract } from './attestations.contract';

describeInFull('as on servers', () => attestationsContract('the embedded store', embeddedStorage));

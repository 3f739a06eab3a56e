import { describeInFull } from '@opendsr-service/storage/testing';
import { archivesContract } from './archives/build.contract';
import { erasureContract } from './erasure/erasure.contract';

describe('on the embedded store', () => {
  describe('archives', () => archivesContract());
  // The int suite shows them in each run.
  describeInFull('erasures', () => erasureContract());
});

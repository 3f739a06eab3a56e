import { describeInFull } from '@opendsr-service/storage/testing';
import { archivesContract } from './archives/build.contract';
import { erasureContract } from './erasure/erasure.contract';

const uri = process.env.DSR_TEST_MONGODB_URI;
if (uri === undefined) throw new Error('DSR_TEST_MONGODB_URI must name a MongoDB');

describe('on MongoDB', () => {
  // Erasures build archives too.
  describeInFull('archives', () => archivesContract(uri));
  describe('erasures', () => erasureContract(uri));
});

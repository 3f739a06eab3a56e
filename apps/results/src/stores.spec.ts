import { archivesContract } from './archives/build.contract';
import { erasureContract } from './erasure/erasure.contract';

describe('on the embedded store', () => {
  describe('archives', () => archivesContract());
  describe('erasures', () => erasureContract());
});

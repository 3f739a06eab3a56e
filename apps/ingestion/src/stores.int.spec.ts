import { erasureContract } from './erasure/erasure.contract';
import { subjectsContract } from './identities/subjects.store.contract';
import { dataContract } from './profiles/batches.consumer.contract';

const uri = process.env.DSR_TEST_MONGODB_URI;
if (uri === undefined) throw new Error('DSR_TEST_MONGODB_URI must name a MongoDB');

describe('on MongoDB', () => {
  describe('erasures', () => erasureContract(uri));
  describe('identities', () => subjectsContract(uri));
  describe('data', () => dataContract(uri));
});

import { erasureContract } from './erasure/erasure.contract';
import { afterErasureContract } from './identities/after-erasure.contract';
import { identityChangesContract } from './identities/identity-changes.contract';
import { lapsedLocksContract } from './identities/lapsed-locks.contract';
import { subjectsContract } from './identities/subjects.store.contract';
import { dataContract } from './profiles/batches.consumer.contract';

const uri = process.env.DSR_TEST_MONGODB_URI;
if (uri === undefined) throw new Error('DSR_TEST_MONGODB_URI must name a MongoDB');

describe('on MongoDB', () => {
  describe('erasures', () => erasureContract(uri));
  describe('identities', () => subjectsContract(uri));
  describe('changes of identities', () => identityChangesContract(uri));
  describe('locks that lapsed', () => lapsedLocksContract(uri));
  describe('after an erasure', () => afterErasureContract(uri));
  describe('data', () => dataContract(uri));
});

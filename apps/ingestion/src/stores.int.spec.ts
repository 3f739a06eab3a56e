import { describeInFull } from '@opendsr-service/storage/testing';
import { deviceMatchingContract } from './erasure/device-matching.contract';
import { erasureContract } from './erasure/erasure.contract';
import { erasuresOfOneContract } from './erasure/erasures-of-one.contract';
import { afterErasureContract } from './identities/after-erasure.contract';
import { identityChangesContract } from './identities/identity-changes.contract';
import { identityLimitContract } from './identities/identity-limit.contract';
import { lapsedLocksContract } from './identities/lapsed-locks.contract';
import { orphansContract } from './identities/orphans.contract';
import { subjectsContract } from './identities/subjects.store.contract';
import { signaturesContract } from './intake/signatures.contract';
import { unverifiedIdentitiesContract } from './identities/unverified-identities.contract';
import { dataContract } from './profiles/batches.consumer.contract';

const uri = process.env.DSR_TEST_MONGODB_URI;
if (uri === undefined) throw new Error('DSR_TEST_MONGODB_URI must name a MongoDB');

describe('on MongoDB', () => {
  describe('erasures', () => erasureContract(uri));
  describeInFull('a request by a device matches', () => deviceMatchingContract(uri));
  describeInFull('erasures of one person', () => erasuresOfOneContract(uri));
  describe('identities', () => subjectsContract(uri));
  describe('changes of identities', () => identityChangesContract(uri));
  describeInFull('the most identities of a profile', () => identityLimitContract(uri));
  describe('locks that lapsed', () => lapsedLocksContract(uri));
  describeInFull('after an erasure', () => afterErasureContract(uri));
  describeInFull('orphans', () => orphansContract(uri));
  describeInFull('signatures', () => signaturesContract(uri));
  describeInFull('unverified identities', () => unverifiedIdentitiesContract(uri));
  describe('data', () => dataContract(uri));
});

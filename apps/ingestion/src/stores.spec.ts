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

// What only the full form runs, the int suite shows in each run.
describe('on the embedded store', () => {
  describeInFull('erasures', () => erasureContract());
  describe('a request by a device matches', () => deviceMatchingContract());
  describe('erasures of one person', () => erasuresOfOneContract());
  describe('identities', () => subjectsContract());
  describeInFull('changes of identities', () => identityChangesContract());
  describe('the most identities of a profile', () => identityLimitContract());
  describeInFull('locks that lapsed', () => lapsedLocksContract());
  describe('after an erasure', () => afterErasureContract());
  describe('orphans', () => orphansContract());
  describe('signatures', () => signaturesContract());
  describe('unverified identities', () => unverifiedIdentitiesContract());
  describeInFull('data', () => dataContract());
});

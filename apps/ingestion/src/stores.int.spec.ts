import { deviceMatchingContract } from './erasure/device-matching.contract';
import { erasureContract } from './erasure/erasure.contract';
import { erasuresOfOneContract } from './erasure/erasures-of-one.contract';
import { afterErasureContract } from './identities/after-erasure.contract';
import { identityChangesContract } from './identities/identity-changes.contract';
import { lapsedLocksContract } from './identities/lapsed-locks.contract';
import { orphansContract } from './identities/orphans.contract';
import { subjectsContract } from './identities/subjects.store.contract';
import { signaturesContract } from './intake/signatures.contract';
import { unverifiedIdentitiesContract } from './identities/unverified-identities.contract';
import { dataContract } from './profiles/batches.consumer.contract';

const uri = process.env.DSR_TEST_MONGODB_URI;
if (uri === undefined) throw new Error('DSR_TEST_MONGODB_URI must name a MongoDB');

/** What embedded stores show in each run, and whose races the others have. */
const inFull = process.env['DSR_INT'] === 'full' ? describe : describe.skip;

describe('on MongoDB', () => {
  describe('erasures', () => erasureContract(uri));
  inFull('a request by a device matches', () => deviceMatchingContract(uri));
  describe('erasures of one person', () => erasuresOfOneContract(uri));
  describe('identities', () => subjectsContract(uri));
  describe('changes of identities', () => identityChangesContract(uri));
  describe('locks that lapsed', () => lapsedLocksContract(uri));
  inFull('after an erasure', () => afterErasureContract(uri));
  inFull('orphans', () => orphansContract(uri));
  inFull('signatures', () => signaturesContract(uri));
  inFull('unverified identities', () => unverifiedIdentitiesContract(uri));
  describe('data', () => dataContract(uri));
});

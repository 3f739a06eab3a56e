import type { Subjects } from './identities/subjects.store';
import type { UnverifiedSubjects } from './identities/unverified-subjects.store';

/** Separate from requests, so that a flood of data does not delay erasures. */
export const INGESTION_DATA_GROUP = Symbol('ingestion-data');
export const INGESTION_REQUESTS_GROUP = Symbol('ingestion-requests');

/** By how far the caller is trusted. */
export interface SubjectResolvers {
  readonly verified: Subjects;
  readonly unverified: UnverifiedSubjects;
}
export const SUBJECTS = Symbol('subjects');
export const CLOCK = Symbol('clock');
export const LOG = Symbol('log');
export const VAULT = Symbol('vault');
export const PROFILE_LIMIT_BYTES = Symbol('profile limit');

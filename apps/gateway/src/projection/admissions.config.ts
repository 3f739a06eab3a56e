import { TOPICS } from '@opendsr-service/contracts';
import type { Projection } from '@opendsr-service/replay';
import type { RequestDocument } from '../admission/request.document';
import type { FoldedRequest } from './admission-from-log';
import { admissionsFold } from './admissions-fold.store';
import {
  admissionFacts,
  givesFree,
  isAdmissionBeyond,
  isUnknownToLog,
  mergedAdmission,
  yielding,
} from './merged-admission';

/** Rebuilds admissions (decision 3): events, then unanswered commands, settled destinations and tombstones. */
export const admissionsProjection: Projection<RequestDocument> = {
  name: 'gateway',
  database: 'gateway',
  collection: 'requests',
  topics: [TOPICS.requestEvents, TOPICS.commands, TOPICS.deliveryEvents, TOPICS.keyTombstones].map(({ name }) => name),
  changingFields: [
    'v',
    'seq',
    'status',
    'outbox',
    'outboxAt',
    'openDestinations',
    'keyDueAt',
    'keyDueBy',
    'keyToken',
    'keyGoneAt',
    'personsAt',
    'attestAt',
  ] satisfies (keyof RequestDocument)[],
  startFold: admissionsFold,
  facts: admissionFacts,
  merge: (present, folded, tools) => mergedAdmission(present, folded as FoldedRequest, tools),
  isAhead: isUnknownToLog,
  isBeyond: (present, folded) => isAdmissionBeyond(present, folded as FoldedRequest),
  mayPrecede: ({ receivedAt }, since) => receivedAt < since,
  releasesUnique: givesFree,
  withoutConflicting: yielding,
};

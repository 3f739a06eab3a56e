export { answersOf } from './calls/answers.client';
export { answering, ownProcessOf, ownUpstream } from './calls/answering.module';
export {
  DESTINATION_HOST,
  DESTINATION_HOST_DETAIL,
  HOST_STATES,
  type HostState,
  MOST_HOSTS,
  MOST_SHOWN,
  MOST_WAITING,
} from './destinations/destination-schemas';
export { type DestinationAnswers, type OwnDocuments } from './own-answers';
export { knownHeaders, type ParkedFacts, parkedFacts } from './parked/parked-facts';
export { idOfPath, idOfShown, shownId } from './parked/parked-ids';
export { MOST_BEHIND, ParkedRecords } from './parked/parked-records.store';
export { PARKED_DROP, PARKED_RECORD, PARKED_RECORD_DETAIL, PARKED_REDRIVE } from './parked/parked-schemas';
export { awayAnswer, type ProcessAnswer } from './process/process-answer';
export { CERTIFICATE, OPERATOR_SERVICE, PARKED_COUNTS } from './process/process-schemas';
export { logRecordAnswer } from './records/log-record-answer';
export { LOG_RECORD } from './records/log-record-schema';
export { REQUEST_TOPICS } from './records/shown-fields';
export { hashOf, requestOf } from './records/shown-record';
export { REQUEST_STATES, STATE_SERVICES, type RequestState } from './requests/request-state-schemas';
export * from './service-answers';
export { timeOf, timeOfRecord } from './time-of';
export { databaseOfId, databaseOfService, SERVICE_NAMES, type ServiceName } from './services';

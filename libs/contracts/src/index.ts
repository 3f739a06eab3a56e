export { BUNDLE_MEDIA_TYPE, bundleText, ENVELOPE_MEDIA_TYPE, readBundle, type BundleParts } from './attestation/bundle';
export { ATTESTATION_SCHEMA, ATTESTATION_TYPE, type Attestation } from './attestation/predicate';
export {
  attestationPayload,
  isStatementFault,
  readAttestation,
  STATEMENT_MEDIA_TYPE,
  type AttestationStatement,
  type AttestationSubjects,
  type StatementFault,
} from './attestation/statement';
export * from './callback-body';
export * from './consumer-groups';
export * from './identities/identity';
export * from './identities/identity-types';
export * from './messages/cloud-events';
export * from './messages/codec';
export * from './messages/codecs';
export * from './messages/commands';
export * from './messages/delivery-events';
export { bytesDigest, eventDigest } from './messages/digests';
export type { ExportItem } from './messages/export-item';
export * from './messages/ingest';
export * from './messages/evidence';
export * from './messages/key-tombstones';
export {
  PARTICIPANT_REPORT_SCHEMAS,
  type Destroyed,
  type ParticipantReport,
  type ParticipantStatus,
} from './messages/participant-report';
export { isRecordSignedBy, RECORD_SIGNATURE_HEADER, signRecord } from './messages/record-signature';
export * from './messages/request-events';
export { type ParticipantExtension, type Shape, type StartingParticipants } from './messages/schema';
export * from './protocol-version';
export * from './regulations/legal-calendar';
export * from './regulations/legal-clock';
export * from './regulations/rules';
export { callbackUrlSeal, identitiesSeal } from './request-seals';
export * from './retry-after';
export { callerNetwork } from './caller-network';
export { startingExtensions, toInterfaceExtensions } from './interface-extensions';
export * from './interface-fields';
export * from './topics';
export * from './vocabulary';
export { withDeadline } from './with-deadline';

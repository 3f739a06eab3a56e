export { SchemaChecks } from './schema-checks';
export { attestedCancellation, attestedErasure, attestedSubjects } from './attestations';

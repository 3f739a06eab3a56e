import type { FieldPath } from './field-path';

/** What one operator does at one field. */
export type Change = (field: FieldPath) => void;

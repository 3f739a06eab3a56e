export const INTAKE_RULES = Symbol('intake rules');

/** What the operator configured for the ingestion endpoints. */
export interface IntakeRules {
  /** Calls by the public key alone are allowed, and CORS is answered. */
  readonly keyOnly: boolean;
  /** How far the `Date` of a signed call may differ from the clock. */
  readonly signatureSkewMs: number;
  readonly callBytes: number;
  readonly batchBytes: number;
  readonly eventsPerBatch: number;
  readonly batchesPerCall: number;
}

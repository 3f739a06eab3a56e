/** Under this symbol the module hands the rules to the controllers. */
export const INTAKE_RULES = Symbol('intake rules');

/** What the operator chose for the ingestion endpoints. Sizes in bytes of a body, counts in pieces. */
export interface IntakeRules {
  /** Whether browsers and devices may come with the key alone; only then CORS is answered. */
  readonly keyOnly: boolean;
  /** How far the `Date` of a signed call may lie from our clock. */
  readonly signatureSkewMs: number;
  readonly callBytes: number;
  readonly batchBytes: number;
  readonly eventsPerBatch: number;
  readonly batchesPerCall: number;
}

export const INTAKE_RULES = Symbol('intake rules');

export interface IntakeRules {
  readonly keyOnly: boolean;
  readonly signatureSkewMs: number;
  readonly callBytes: number;
  readonly batchBytes: number;
  readonly eventsPerBatch: number;
  readonly batchesPerCall: number;
}

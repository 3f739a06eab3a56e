/** Whom a request is about: its identities as the gateway sealed them. */
export interface ExportOrder {
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
}

/**
 * What an export tells, one by one: whom it is about, all profiles, then their batches, then that this was all. Subjects are named by
 * blind index, as an erasure will name them (decision 3). Lines are JSON text.
 */
export type ExportItem =
  | { readonly subjects: readonly string[] }
  | { readonly profile: string }
  | { readonly batch: string }
  | { readonly end: { readonly profiles: number; readonly batches: number; readonly attributes: number } };

/** Where results gets data from: ingestion over HTTP, or the one in the same process. */
export interface ExportSource {
  read(order: ExportOrder): AsyncIterable<ExportItem>;
}

/** An export that ended too soon, or is not what it should be. Nothing of it may be used. */
export class BrokenExport extends Error {
  override readonly name = 'BrokenExport';
}

export interface ExportOrder {
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
}

/** Subjects are blind indexes (decision 14). Lines are JSON text. */
export type ExportItem =
  | { readonly subjects: readonly string[] }
  | { readonly profile: string }
  | { readonly batch: string }
  | { readonly end: { readonly profiles: number; readonly batches: number; readonly attributes: number } };

export interface ExportSource {
  read(order: ExportOrder): AsyncIterable<ExportItem>;
}

/** The export is incomplete or malformed. None of it may be used. */
export class BrokenExport extends Error {
  override readonly name = 'BrokenExport';
}

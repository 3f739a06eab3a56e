/**
 * A line of the export from which ingestion gives results the data of a request: subjects by blind index (decision 14),
 * all profiles, their batches, then the counts. Profiles and batches are JSON text, which keeps every digit. A
 * profile whose identities would be too long for a line comes in parts, in their order.
 */
export type ExportItem =
  | { readonly subjects: readonly string[] }
  | { readonly part: string; readonly isLast?: true }
  | { readonly profile: string }
  | { readonly batch: string }
  | { readonly end: { readonly profiles: number; readonly batches: number; readonly attributes: number } };

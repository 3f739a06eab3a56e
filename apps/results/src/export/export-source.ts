import type { ExportItem } from '@opendsr-service/contracts';

export interface ExportOrder {
  readonly ws: string;
  readonly srid: string;
  readonly kid: string;
  readonly identities: string;
}

export interface ExportSource {
  read(order: ExportOrder): AsyncIterable<ExportItem>;
}

/** The export is incomplete or malformed. None of it may be used. */
export class BrokenExport extends Error {
  override readonly name = 'BrokenExport';
}

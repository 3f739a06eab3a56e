import type { ExportItem } from '@opendsr-service/contracts';
import type { ExportOrder, ExportSource } from '../export/export-source';

const EMPTY: readonly ExportItem[] = [{ subjects: [] }, { end: { profiles: 0, batches: 0, attributes: 0 } }];

/** Exports by request. `breaks` ends one too soon; `waits` delays one. */
export class PlantedSource implements ExportSource {
  readonly exports = new Map<string, readonly ExportItem[]>();
  readonly waits = new Map<string, Promise<void>>();
  breaks = false;

  async *read({ srid }: ExportOrder): AsyncGenerator<ExportItem> {
    await this.waits.get(srid);
    for (const item of this.exports.get(srid) ?? EMPTY) {
      if (this.breaks && 'end' in item) throw new Error('ingestion is away');
      yield await Promise.resolve(item);
    }
  }
}

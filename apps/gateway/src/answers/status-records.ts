import type { LinkKeys } from '@opendsr-service/vault';
import type { RequestDocument } from '../requests/request.document';
import type { Processor } from './processor';
import { statusRecord } from './receipts';

/** Status records as a controller reads them, with the results link of what is complete. */
export class StatusRecords {
  constructor(private readonly linkKeys: LinkKeys) {}

  async of(request: RequestDocument, processor: Processor) {
    return statusRecord(request, await this.resultsUrl(request, processor));
  }

  /** The link of a completed access or portability request, made anew each time; null for all others. */
  private async resultsUrl(request: RequestDocument, processor: Processor): Promise<string | null> {
    if (request.type === 'erasure' || !request.completedAt) return null;
    const token = await this.linkKeys.token(request.ws, request.srid, request.completedAt);
    return `${processor.publicUrl}/${processor.version.root}/results/${token}`;
  }
}

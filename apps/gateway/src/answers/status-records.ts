import { resultsLink, type ApiVersion } from '@opendsr-service/contracts';
import type { LinkKeys } from '@opendsr-service/vault';
import type { RequestDocument } from '../requests/request.document';
import type { Processor } from './processor';
import { statusRecord } from './receipts';

/** Status records as a controller reads them, with the results link of what is complete. */
export class StatusRecords {
  constructor(
    private readonly linkKeys: Pick<LinkKeys, 'token'>,
    private readonly processors: ReadonlyMap<ApiVersion, Processor>,
  ) {}

  /** `answering` is the root that was asked. */
  async of(request: RequestDocument, answering: Processor) {
    return statusRecord(request, await this.resultsUrl(request, answering));
  }

  /**
   * The link of a completed access or portability request, made anew each time; null for all others. It is under the root of the
   * request's version, where that is still served; the token is good under every root.
   */
  private async resultsUrl(request: RequestDocument, answering: Processor): Promise<string | null> {
    if (request.type === 'erasure' || !request.completedAt) return null;
    const { publicUrl, version } = this.processors.get(request.apiVersion) ?? answering;
    const token = await this.linkKeys.token(request.ws, request.srid, request.completedAt);
    return resultsLink(publicUrl, version, token);
  }
}

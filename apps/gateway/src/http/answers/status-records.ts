import { resultsLink, type ApiVersion } from '@opendsr-service/contracts';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { ListableRequest, RequestDocument } from '../../admission/request.document';
import { openGroupName } from '../../admission/sealing';
import type { SignatureCache } from './signature-cache';
import type { ServedVersion } from '../../versions/served-version';
import { statusRecord } from './receipts';
import { bytesOf, type SignedAnswer } from './signed-answer';

export class StatusRecords {
  constructor(
    private readonly linkKeys: Pick<LinkKeys, 'tokenFor'>,
    private readonly servedVersions: ReadonlyMap<ApiVersion, ServedVersion>,
    private readonly signatures: SignatureCache,
    private readonly vault: Pick<Vault, 'key'>,
  ) {}

  /** `answering` is the root that was asked. */
  async record(request: RequestDocument, answering: ServedVersion): Promise<Buffer> {
    return bytesOf(this.recordOf(request, await openGroupName(this.vault, request), answering));
  }

  /** The caller names the group, so the list works once keys are destroyed, too. */
  async signedList(
    requests: readonly ListableRequest[],
    group: string,
    answering: ServedVersion,
  ): Promise<SignedAnswer> {
    const records = requests.map((request) => this.recordOf(request, group, answering));
    return this.sign(bytesOf(records), answering);
  }

  sign(bytes: Buffer, answering: ServedVersion): Promise<SignedAnswer> {
    return this.signatures.answer(answering, bytes);
  }

  private recordOf(request: ListableRequest, group: string | null, answering: ServedVersion) {
    return statusRecord(request, { group, resultsUrl: this.resultsUrl(request, answering) });
  }

  /** Null unless a completed access or portability request. Under the root of its version, where that is served. */
  private resultsUrl(request: ListableRequest, answering: ServedVersion): string | null {
    if (request.type === 'erasure' || !request.completedAt) return null;
    const { publicUrl, version } = this.servedVersions.get(request.apiVersion) ?? answering;
    return resultsLink(publicUrl, version, this.linkKeys.tokenFor(request.ws, request.srid));
  }
}

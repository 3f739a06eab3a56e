import { resultsLink, type ApiVersion } from '@opendsr-service/contracts';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../requests/request.document';
import { openGroup } from '../requests/sealing';
import type { KeptSignatures } from './kept-signatures';
import type { Processor } from './processor';
import { statusRecord } from './receipts';
import { signAnswer, type SignedAnswer } from './signed-answer';

/** Status records as a controller reads them, with the results link of what is complete. */
export class StatusRecords {
  constructor(
    private readonly linkKeys: Pick<LinkKeys, 'tokenFor'>,
    private readonly processors: ReadonlyMap<ApiVersion, Processor>,
    private readonly signatures: KeptSignatures,
    private readonly vault: Pick<Vault, 'key'>,
  ) {}

  /** The answer to a read: signed once for each version of the record. `answering` is the root that was asked. */
  async answer(request: RequestDocument, answering: Processor): Promise<SignedAnswer> {
    return this.signed(await this.of(request, await openGroup(this.vault, request), answering), answering);
  }

  /** The same of the list of a group, which is called as who asked for it called it: that holds when keys are gone, too. */
  async answerList(requests: readonly RequestDocument[], group: string, answering: Processor): Promise<SignedAnswer> {
    return this.signed(await Promise.all(requests.map((request) => this.of(request, group, answering))), answering);
  }

  private signed(answer: object, answering: Processor): Promise<SignedAnswer> {
    return signAnswer(answering, answer, (bytes) => this.signatures.of(answering.signer, bytes));
  }

  private async of(request: RequestDocument, group: string | null, answering: Processor) {
    return statusRecord(request, { group, resultsUrl: await this.resultsUrl(request, answering) });
  }

  /**
   * The link of a completed access or portability request, made anew each time; null for all others. It is under the root of the
   * request's version, where that is still served; the token is good under every root.
   */
  private async resultsUrl(request: RequestDocument, answering: Processor): Promise<string | null> {
    if (request.type === 'erasure' || !request.completedAt) return null;
    const { publicUrl, version } = this.processors.get(request.apiVersion) ?? answering;
    const token = await this.linkKeys.tokenFor(request.ws, request.srid, request.completedAt);
    return resultsLink(publicUrl, version, token);
  }
}

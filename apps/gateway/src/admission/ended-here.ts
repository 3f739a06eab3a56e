import type { RequestDocument } from './request.document';

/** Beyond this, requests wait until they are due for every process. */
const MAX_WAITING = 10_000;

export interface EndedRequest {
  readonly document: RequestDocument;
  readonly isAttested: boolean;
}

/** The requests that this process has ended, until it records their persons. */
export class EndedHere {
  private readonly waiting = new Map<string, EndedRequest>();

  add(document: RequestDocument): void {
    if (this.waiting.size < MAX_WAITING) this.waiting.set(document._id, { document, isAttested: false });
  }

  /** The request as it was at its end: what an attestation says of it does not change any more, but for `history`. */
  find(_id: string): RequestDocument | undefined {
    return this.waiting.get(_id)?.document;
  }

  /** Notes that they are attested: the write that follows their persons says so too. False: it is not one of these. */
  attested(_id: string): boolean {
    const ended = this.waiting.get(_id);
    if (ended) this.waiting.set(_id, { ...ended, isAttested: true });
    return ended !== undefined;
  }

  /** Removes and returns the first of them. */
  takeFirst(count: number): EndedRequest[] {
    const taken = [...this.waiting.values()].slice(0, count);
    for (const { document } of taken) this.waiting.delete(document._id);
    return taken;
  }
}

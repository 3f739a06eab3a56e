import type { RequestDocument } from './request.document';
import { sealedLength } from './sealing';

/** Beyond these, requests wait until they are due for every process. */
const MAX_WAITING = 10_000;
/** Of what is sealed, which makes nearly all of a large document: a small part of the memory of a gateway. */
const MAX_WAITING_BYTES = 32 * 1_048_576;

export interface EndedRequest {
  readonly document: RequestDocument;
  readonly isAttested: boolean;
}

/** The requests that this process has ended, until it records their persons. */
export class EndedHere {
  private readonly waiting = new Map<string, EndedRequest>();
  private bytes = 0;

  add(document: RequestDocument): void {
    const bytes = this.bytes + bytesOf(document) - bytesOf(this.find(document._id));
    if (this.waiting.size >= MAX_WAITING || bytes > MAX_WAITING_BYTES) return;
    this.waiting.set(document._id, { document, isAttested: false });
    this.bytes = bytes;
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
    for (const { document } of taken) {
      this.waiting.delete(document._id);
      this.bytes -= bytesOf(document);
    }
    return taken;
  }
}

const bytesOf = (document: RequestDocument | undefined): number =>
  document?.sealed ? sealedLength(document.sealed) : 0;

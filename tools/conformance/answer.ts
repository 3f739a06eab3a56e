import type { IncomingHttpHeaders } from 'node:http';

/** An answer with the exact bytes of its body. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

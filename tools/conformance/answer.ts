import type { IncomingHttpHeaders } from 'node:http';

/** What came back, its body as the exact bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

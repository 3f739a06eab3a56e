import type { IncomingMessage } from 'node:http';
import type { ProtocolVersion } from '@opendsr-service/contracts';

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Exchange {
  readonly method: string;
  /** Relative to the version's root. */
  readonly path: string;
  readonly group: string | null;
  readonly version: ProtocolVersion;
  readonly http: IncomingMessage;
  readonly text: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export const errorReply = (status: number, faults: readonly object[] = [{}], headers = {}): Reply => ({
  status,
  headers,
  body: {
    code: status,
    message: 'No.',
    errors: faults.map((fault) => ({ domain: 'Fake', reason: 'Fake', message: 'No.', ...fault })),
  },
});

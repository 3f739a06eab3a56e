import { Client } from 'undici';

export interface ConnectionsOptions {
  readonly baseUrls: readonly string[];
  readonly key: string;
  readonly secret: string;
  readonly count: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: string | undefined;
}

/** One keep-alive connection. Calls on it wait for each other. */
export class Connection {
  private readonly client: Client;
  private readonly headers: string[];

  /** `headers`: what proves who calls. */
  constructor(baseUrl: string, headers: Readonly<Record<string, string>>) {
    this.client = new Client(baseUrl, { pipelining: 1 });
    this.headers = [...Object.entries(headers).flat(), 'content-type', 'application/json'];
  }

  /** Status 0: there was no answer. */
  call(method: 'GET' | 'POST', path: string, body?: string): Promise<HttpAnswer> {
    return new Promise((resolve) => {
      let status = 0;
      let retryAfter: string | undefined;
      const chunks: Buffer[] = [];
      this.client.dispatch(
        { method, path, headers: this.headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, statusCode, headers) => {
            status = statusCode;
            retryAfter = headers['retry-after'] as string | undefined;
          },
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => {
            const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
            resolve({ status, body, retryAfter });
          },
          onResponseError: () => {
            resolve({ status: 0, body: Buffer.alloc(0), retryAfter: undefined });
          },
        },
      );
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Opens connections, the same number to each address. */
export function openConnections({ baseUrls, key, secret, count }: ConnectionsOptions): Connection[] {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  return Array.from(
    { length: count },
    (_, n) => new Connection(baseUrls[n % baseUrls.length] ?? '', { authorization }),
  );
}

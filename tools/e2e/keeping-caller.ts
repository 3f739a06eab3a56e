import { Agent, request } from 'node:http';

/** A whole answer on a connection that was to be kept. */
interface KeptAnswer {
  readonly status: number | undefined;
  readonly body: string;
  /** Whether the service announced the end of the connection. */
  readonly isLast: boolean;
}

/** A caller with one connection, which it keeps: what it asks is answered whole, or it is an error. */
export class KeepingCaller {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  post(path: string, json: object): Promise<KeptAnswer> {
    return new Promise((resolve, reject) => {
      request(
        this.url + path,
        { method: 'POST', agent: this.agent, headers: { ...this.headers, 'content-type': 'application/json' } },
        (response) => {
          const chunks: Buffer[] = [];
          const isLast = response.headers.connection === 'close';
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          response.on('end', () => {
            resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString(), isLast });
          });
        },
      )
        .on('error', reject)
        .end(JSON.stringify(json));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

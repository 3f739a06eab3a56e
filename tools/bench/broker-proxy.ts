import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Kinds of requests to a broker, by their number in the protocol. */
const KINDS = { 0: 'produces', 1: 'fetches', 8: 'commits' } as const;
export type RequestKind = (typeof KINDS)[keyof typeof KINDS];
export type RequestCounts = Readonly<Record<RequestKind, number>>;

const LENGTH_BYTES = 4;
const HEAD_BYTES = LENGTH_BYTES + 2;

/** Finds the kinds of the requests in the bytes that a client sends to a broker, however they are cut. */
export class RequestHeads {
  private head = Buffer.alloc(0);
  private rest = 0;

  constructor(private readonly found: (kind: number) => void) {}

  take(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.rest > 0) {
        const skipped = Math.min(this.rest, bytes.length - at);
        this.rest -= skipped;
        at += skipped;
        continue;
      }
      const missing = bytes.subarray(at, at + HEAD_BYTES - this.head.length);
      this.head = Buffer.concat([this.head, missing]);
      at += missing.length;
      if (this.head.length < HEAD_BYTES) return;
      this.found(this.head.readInt16BE(LENGTH_BYTES));
      this.rest = this.head.readInt32BE(0) + LENGTH_BYTES - HEAD_BYTES;
      this.head = Buffer.alloc(0);
    }
  }
}

/** Stands before a broker that advertises it, and counts what the drivers send. */
export class BrokerProxy {
  private readonly counted: Record<RequestKind, number> = { produces: 0, fetches: 0, commits: 0 };
  private readonly sockets = new Set<Socket>();
  private broker = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (client) => this.forward(client));
  }

  static async listen(): Promise<BrokerProxy> {
    const server = createServer();
    const proxy = new BrokerProxy(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  get counts(): RequestCounts {
    return { ...this.counted };
  }

  /** `port`: the broker's own on this machine. */
  forwardTo(port: number): void {
    this.broker = port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket): void {
    const broker = connect(this.broker, '127.0.0.1');
    const heads = new RequestHeads((kind) => {
      const name = KINDS[kind as keyof typeof KINDS] as RequestKind | undefined;
      if (name) this.counted[name] += 1;
    });
    client.on('data', (bytes) => heads.take(bytes));
    for (const [from, to] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { localUrl } from '../installation';

/**
 * The address of a Kubernetes Service: each new connection goes to the next listed endpoint and stays there, also after
 * the list changes. It never retries.
 */
export class ServiceAddress {
  private readonly endpoints: number[] = [];
  private readonly open = new Set<Socket>();
  private turn = 0;
  /** Connections that were given to an endpoint. */
  connections = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (client: Socket) => {
      this.forward(client);
    });
  }

  static async start(): Promise<ServiceAddress> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ServiceAddress(server);
  }

  get url(): string {
    return localUrl((this.server.address() as AddressInfo).port);
  }

  list(port: number): void {
    this.endpoints.push(port);
  }

  unlist(port: number): void {
    this.endpoints.splice(this.endpoints.indexOf(port), 1);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await closed;
  }

  private forward(client: Socket): void {
    const port = this.endpoints[this.turn++ % this.endpoints.length];
    if (port === undefined) return void client.resetAndDestroy();
    this.connections++;
    const endpoint = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [one, other] of [
      [client, endpoint],
      [endpoint, client],
    ] as const) {
      this.open.add(one);
      // What breaks on one side breaks on the other, as if there was nothing in between.
      one.on('error', () => other.resetAndDestroy()).on('close', () => this.open.delete(one));
      one.setNoDelay(true).pipe(other);
    }
  }
}

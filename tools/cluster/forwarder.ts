import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';

const LOOPBACK = '127.0.0.1';

/** An address of this machine that leads to a Service, as an ingress would. Each connection is one of the Service. */
export class Forwarder {
  private target: { readonly host: string; readonly port: number } | undefined;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      if (!this.target) return socket.destroy();
      const onward = connect(this.target);
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        from.on('error', () => to.destroy()).on('close', () => to.destroy());
        from.pipe(to);
      }
    });
  }

  static async start(): Promise<Forwarder> {
    const server = createServer().listen(0, LOOPBACK);
    await once(server, 'listening');
    return new Forwarder(server);
  }

  get url(): string {
    return `http://${LOOPBACK}:${String((this.server.address() as AddressInfo).port)}`;
  }

  leadTo(host: string, port: number): void {
    this.target = { host, port };
  }

  close(): void {
    this.server.close();
  }
}

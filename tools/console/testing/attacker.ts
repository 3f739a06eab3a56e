import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site of somebody else that shows one page. Browsers take its cookies and those of the console for those of one site. */
export class Attacker {
  static async start(page: string): Promise<Attacker> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Attacker(server);
  }

  readonly url: string;

  private constructor(private readonly server: Server) {
    this.url = `http://localhost:${String((server.address() as AddressInfo).port)}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Shows a page of somebody else to a visitor, for the time of the work. */
export async function onPageOfAttacker(page: string, work: (url: string) => Promise<void>): Promise<void> {
  const attacker = await Attacker.start(page);
  try {
    await work(attacker.url);
  } finally {
    await attacker.stop();
  }
}

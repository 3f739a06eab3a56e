import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Ports that are free now. They are all held until the last is found, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => (server.close(), once(server, 'close'))));
  return ports;
}

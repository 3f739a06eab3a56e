export const ADMIN_PORT = 9090;
export const PUBLIC_PORT = 8080;

/** The command of a container that does nothing but listen on the ports of a service. */
export const listening: readonly string[] = [
  ...['/usr/local/bin/node', '--eval'],
  `for (const port of [${String(PUBLIC_PORT)}, ${String(ADMIN_PORT)}]) require('node:http').createServer().listen(port)`,
];

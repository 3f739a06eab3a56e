import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePorts } from './free-ports';

const addresses = ['127.0.0.1', '127.0.0.2'];

it('gives free ports below the ephemeral range, separate for each worker', async () => {
  const ports = await freePorts(250);
  expect(ports.every((port) => port >= 30_000 && port < 32_768)).toBe(true);
  expect(new Set(ports.map((port) => port % 8))).toEqual(new Set([Number(process.env['JEST_WORKER_ID']) % 8]));

  // Of the worker's 340 so many are taken that some would be given again, if nobody looked.
  const holders = ports.map((port) => createServer().listen(port, addresses[port % 16 < 8 ? 0 : 1]));
  await Promise.all(holders.map((holder) => once(holder, 'listening')));
  const more = await freePorts(20);
  for (const holder of holders) holder.close();
  expect(new Set([...ports, ...more]).size).toBe(270);
});

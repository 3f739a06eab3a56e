import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePorts } from './free-ports';

it('returns different ports, below those of outgoing connections', async () => {
  const ports = [...(await freePorts(20)), ...(await freePorts(20))];
  expect(new Set(ports).size).toBe(40);
  for (const port of ports) expect([port >= 10_000, port < 32_768]).toEqual([true, true]);
});

it('skips a port that is taken', async () => {
  const [before = 0] = await freePorts(1);
  const holder = createServer().listen(before + 1, '127.0.0.1');
  await once(holder, 'listening');
  expect(await freePorts(1)).not.toEqual([before + 1]);
  holder.close();
});

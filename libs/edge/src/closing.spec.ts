import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { createAdapter } from './adapter';
import { defaultLimits } from './limits';
import { answersIn, head, rawExchange } from './testing/exchange';

class Nothing {}

it('answers normally while its routes close, as the listeners decide who may still call', async () => {
  const adapter = createAdapter(defaultLimits);
  const app = await NestFactory.create({ module: Nothing }, adapter, { logger: false, abortOnError: false });
  let resume = (): void => undefined;
  const closing = new Promise<void>((begun) => {
    adapter.getInstance().addHook('onClose', async () => {
      begun();
      await new Promise<void>((resolve) => (resume = resolve));
    });
  });
  await app.init();
  await adapter.getInstance().ready();
  const server = adapter.createListener();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closed = app.close();
  await closing;
  const [answer] = answersIn(await rawExchange((server.address() as AddressInfo).port, head('GET /nowhere')));
  expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([404, expect.objectContaining({ code: 404 })]);
  resume();
  await closed;
  server.close();
});

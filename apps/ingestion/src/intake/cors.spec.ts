import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdapter, defaultLimits } from '@opendsr-service/edge';
import { answerCors } from './cors';

it('lets pages read that a process with too many calls refuses theirs, and when to come again', async () => {
  const adapter = createAdapter({ ...defaultLimits, calls: 0 }, {});
  adapter.registerParserMiddleware();
  adapter.setErrorHandler();
  answerCors(adapter);
  for (const path of ['/v2/events', '/readyz']) adapter.getInstance().post(path, () => ({}));
  await adapter.getInstance().ready();
  const server = adapter.createListener();
  adapter.callLimiter.guard(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const call = async (path: string, method = 'POST') => {
    const { port } = server.address() as AddressInfo;
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [status, headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')];
  };
  expect(await call('/v2/events')).toEqual([503, '*', 'retry-after']);
  expect(await call('/v2/events', 'OPTIONS')).toEqual([204, '*', null]);
  expect(await call('/readyz')).toEqual([503, null, null]);
  server.close();
  server.closeAllConnections();
  await adapter.getInstance().close();
});

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createLogger } from '../logger/logger';
import { openEvents } from './open-stores';
import { kafkaSettings, readSettings } from '@opendsr-service/config';

/** Takes connections and ends them at once. */
async function hangingUp(): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

it('logs why nothing can be published, without the address', async () => {
  const broker = await hangingUp();
  const { port } = broker.address() as AddressInfo;
  let resolveLine: (line: string) => void;
  const logged = new Promise<string>((resolve) => (resolveLine = resolve));
  const log = createLogger('test', 'info', { write: (line) => line.includes('not known yet') && resolveLine(line) });
  const events = await openEvents(readSettings(kafkaSettings, { KAFKA_BROKERS: `127.0.0.1:${port}` }), 'test', log);
  const published = events.publisher
    .publish('dsr.commands.v1', [{ key: 'a', value: Buffer.from('planted'), headers: {} }])
    .catch((error: Error) => error.name);
  const line = await logged;
  await events.close();
  broker.close();
  expect(JSON.parse(line)).toMatchObject({ topic: 'dsr.commands.v1', error: { name: 'ConnectionFault' } });
  expect(line).not.toContain(String(port));
  expect(await published).toMatch(/^Publish/);
});

import { openLog } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { createLogger } from './logger';

it('lets through what a Kafka client says of itself: what happened, and with which broker', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('app', 'info', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const log = await openLog({ kafka: { brokers: ['127.0.0.1:1'], clientId: 'app', closeTimeoutMs: 0 }, logger });
  log.publisher.publish('things', [{ key: 'k', value: 'planted', headers: {} }]).catch(() => undefined);
  await until(() => lines.some(({ client }) => client === 'Connection'));
  await log.close();
  expect(lines.find(({ client }) => client === 'Connection')).toMatchObject({
    level: 'warn',
    msg: 'The Kafka client reports a fault',
    host: '127.0.0.1:1',
    reason: expect.stringContaining('ECONNREFUSED') as string,
  });
});

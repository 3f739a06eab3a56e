import { ClientLog } from './client-log';

describe('a log entry of kafkajs', () => {
  const written: Record<string, unknown>[] = [];
  const logger = {
    info: () => undefined,
    warn: (fields: Readonly<Record<string, unknown>>, message: string) => void written.push({ ...fields, message }),
  };
  let nowMs = 0;
  let lines: ClientLog;
  const say = (log: object, namespace = 'Connection') =>
    lines.writeEntry({
      namespace,
      level: 1,
      label: 'ERROR',
      log: { timestamp: '', logger: 'kafkajs', message: 'failed', ...log },
    });

  beforeEach(() => {
    written.length = 0;
    nowMs = 0;
    lines = new ClientLog(logger, () => nowMs);
  });

  it('is logged with its error, broker and number of attempts', () => {
    say({
      message: 'Response Fetch(key: 1, version: 11)',
      error: 'This is not the leader',
      broker: 'kafka-1:9092',
      clientId: 'app',
      retryCount: 2,
      retryTime: 300,
    });
    expect(written).toMatchObject([
      {
        message: 'The Kafka client reports a fault',
        client: 'Connection',
        reason: 'Response Fetch(key: 1, version: 11): This is not the leader',
        host: 'kafka-1:9092',
        attempt: 2,
        waitMs: 300,
      },
    ]);
  });

  it('names an error and its causes, also if the error is the message', () => {
    const error = new Error('no broker', { cause: new TypeError('planted') });
    say({ message: 'Crash', error, groupId: 'g' }, 'Consumer');
    say({ message: error }, 'BrokerPool');
    expect(written).toMatchObject([
      { reason: 'Crash: no broker', error: { name: 'Error', cause: { name: 'TypeError' } }, group: 'g' },
      { reason: 'no broker' },
    ]);
  });

  it('holds only fields that are known to be free of records', () => {
    say({ payload: 'planted', messages: ['planted'], stack: 'planted', offsets: { a: 'planted' } });
    expect(JSON.stringify(written)).not.toContain('planted');
  });

  it('is not repeated within a minute, and has the number of repeats after that', () => {
    for (let n = 0; n < 500; n++)
      say({ message: `Timeout while acquiring lock (${n} waiting locks)`, broker: 'kafka-1:9092' });
    say({ message: 'Timeout while acquiring lock (1 waiting locks)', broker: 'kafka-2:9092' });
    nowMs = 60_000;
    say({ message: 'Timeout while acquiring lock (3 waiting locks)', broker: 'kafka-1:9092' });
    expect(written.map(({ host, count }) => [host, count])).toEqual([
      ['kafka-1:9092', undefined],
      ['kafka-2:9092', undefined],
      ['kafka-1:9092', 499],
    ]);
  });
});

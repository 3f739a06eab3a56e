import { randomUUID } from 'node:crypto';
import { EXIT } from './command';
import { say } from './testing/say';
import { topicsApply } from './topics/topics.command';

it('ends with 1, and names the answer, where Kafka has fewer brokers than a topic is to have copies', async () => {
  const brokers = process.env['DSR_TEST_KAFKA_BROKERS'];
  if (!brokers) throw new Error('DSR_TEST_KAFKA_BROKERS is missing');
  const env = {
    KAFKA_BROKERS: brokers,
    KAFKA_TOPIC_PREFIX: `refusal-${randomUUID().slice(0, 8)}.`,
    TOPIC_REPLICATION: '15',
    TOPIC_MIN_ISR: '2',
  };
  expect(await say('topics apply', { commands: [topicsApply], env })).toEqual({
    code: EXIT.failed,
    out: [],
    err: ['Kafka: it answers INVALID_REPLICATION_FACTOR'],
  });
});

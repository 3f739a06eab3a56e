import { setImmediate } from 'node:timers/promises';
import type { Kafka, Message } from 'kafkajs';
import { silentLogger } from '../consumption/silent-logger';
import { until } from '../testing/until';
import { AcknowledgingProducer } from './acknowledging-producer';

type Answer = 'acknowledged' | 'unsent' | 'never' | Error | Promise<Error>;

const failure = (code: number) =>
  Object.assign(new Error('refused by the broker'), { name: 'KafkaJSNonRetriableError', cause: { code } });
const batch: Message[] = [
  { key: 'a', value: '1', partition: 3 },
  { key: 'a', value: '2', partition: 3 },
];

/** A cluster as kafkajs shows it, with given answers. */
class Cluster {
  readonly sends: { readonly producer: number; readonly messages: readonly Message[] }[] = [];
  readonly ended: number[] = [];
  /** How producers connect, by their number. */
  readonly connects: (() => Promise<void>)[] = [];
  made = 0;

  constructor(private readonly answers: Answer[]) {}

  readonly client = (): Kafka => {
    const producer = () => {
      const number = this.made++;
      return {
        connect: () => this.connects[number]?.() ?? Promise.resolve(),
        disconnect: () => Promise.resolve(void this.ended.push(number)),
        send: ({ topic, messages }: { topic: string; messages: Message[] }) => this.answer(number, topic, messages),
      };
    };
    return { producer } as unknown as Kafka;
  };

  private answer(producer: number, topicName: string, messages: Message[]): Promise<unknown> {
    this.sends.push({ producer, messages: [...messages] });
    const answer = this.answers.shift() ?? 'acknowledged';
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer === 'never') return new Promise(() => undefined);
    if (answer instanceof Promise) return answer.then((error) => Promise.reject(error));
    const partition = messages[0]?.partition;
    return Promise.resolve(answer === 'unsent' ? [] : [{ topicName, partition, errorCode: 0 }]);
  }
}

describe('the acknowledging producer', () => {
  const send = (...answers: Answer[]) => {
    const cluster = new Cluster(answers);
    const producer = new AcknowledgingProducer(cluster.client, silentLogger);
    return { cluster, producer, sending: producer.send('t', 3, batch) };
  };

  it('sends the identical batch again through the same producer until it is acknowledged', async () => {
    const { cluster, sending } = send(new Error('timed out'), failure(7), 'acknowledged');
    await sending;
    expect(cluster.sends).toEqual([0, 0, 0].map((producer) => ({ producer, messages: batch })));
  });

  it('repeats a send that resolved without an answer from the partition', async () => {
    const { cluster, sending } = send('unsent', 'acknowledged');
    await sending;
    expect(cluster.sends).toHaveLength(2);
  });

  it.each([45, 47, 59, 90, -99])(
    'uses a new producer for the same batch when the sequence is lost (code %i)',
    async (code) => {
      const { cluster, sending } = send(failure(code), 'acknowledged');
      await sending;
      expect(cluster.sends).toEqual([0, 1].map((producer) => ({ producer, messages: batch })));
      await until(() => cluster.ended.includes(0));
    },
  );

  it.each([10, 18, 32, 87])('gives up a batch that the broker will never accept (code %i)', async (code) => {
    const { cluster, sending } = send(failure(code));
    await expect(sending).rejects.toMatchObject({ name: 'PublishRefused', reason: 'rejected' });
    expect(cluster.sends).toHaveLength(1);
  });

  it('takes a late error of the old producer while the new one cannot connect', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const [late, refused] = [Promise.withResolvers<Error>(), Promise.withResolvers<void>()];
    const { cluster, producer, sending } = send(failure(45), late.promise);
    cluster.connects[1] = () => refused.promise;
    const other = producer.send('t', 4, [{ key: 'b', value: '1', partition: 4 }]);
    await until(() => cluster.made === 2);
    late.resolve(failure(45));
    await setImmediate();
    refused.reject(new Error('away'));
    await Promise.all([sending, other]);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(cluster.sends.map((sent) => sent.producer)).toEqual([0, 0, 2, 2]);
  });

  it('reports that a batch may have been written when it is closed after an attempt', async () => {
    const { cluster, producer, sending } = send(...Array.from({ length: 50 }, () => new Error('away')));
    const outcome = expect(sending).rejects.toMatchObject({ name: 'PublishTimeout' });
    await until(() => cluster.sends.length > 0);
    await producer.close();
    await outcome;
  });
});

import { join } from 'node:path';
import { openLog } from '@opendsr-service/messaging';
import { bundle, Child } from './child';

const topic = 'faults.closing.v1';
const partitions = 6;
/** A handler of 3 s and the longest close, with time to spare; one that spins never ends. */
const atMostMs = 60_000;

/** Two consumers, each a process, that handle slowly and close when their client sees a broker go, or come again. */
export class ClosingConsumers {
  private constructor(private readonly children: readonly Child[]) {}

  /** Resolves when each of them handles something. */
  static async start(brokers: readonly string[], folder: string): Promise<ClosingConsumers> {
    const log = await openLog({ kafka: { brokers, clientId: 'closing' } });
    await log.topics.apply([{ name: topic, partitions, retentionMs: 3_600_000 }], { replication: 3, minIsr: 2 });
    await log.publisher.publish(topic, Array.from({ length: 100 }, (_, n) => ({ key: `k${n}`, value: String(n), headers: {} })));
    await log.close();
    const file = await bundle('../../libs/messaging/src/testing/closing-consumer', folder);
    const begun = (['gone', 'back'] as const).map((when) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const task = { brokers, topic, group: `faults-closing-${when}`, when };
      return { child: new Child(`closing ${when}`, { file, task, logFile: join(folder, 'children.log') }, () => resolve()), handling: promise };
    });
    await Promise.all(begun.map(({ handling }) => handling));
    return new ClosingConsumers(begun.map(({ child }) => child));
  }

  /** The exit code of each; null where it had to be killed. */
  ended(): Promise<readonly (number | null)[]> {
    return Promise.all(this.children.map((child) => child.ended(atMostMs)));
  }
}

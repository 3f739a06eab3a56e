import { join } from 'node:path';
import { openLog } from '@opendsr-service/messaging';
import { bundle, Child } from './child';

const topic = 'faults.closing.v1';
const partitions = 6;
/** Until a client asks who the brokers are, the longest handlers and the longest close, with time to spare; one that spins never ends. */
const atMostMs = 150_000;

/** Two consumers, each a process, that handle slowly and close when their client sees a broker go. */
export class ClosingConsumers {
  private constructor(
    private readonly children: readonly Child[],
    /** Resolves when each of them has seen the broker go, and closes. */
    readonly closing: Promise<unknown>,
  ) {}

  /** Resolves when each of them handles something. */
  static async start(brokers: readonly string[], folder: string): Promise<ClosingConsumers> {
    const log = await openLog({ kafka: { brokers, clientId: 'closing' } });
    await log.topics.apply([{ name: topic, partitions, retentionMs: 3_600_000 }], { replication: 3, minIsr: 2 });
    // Large ones, of which few fit into a fetch: each broker is asked again after each handler, and they last, for a
    // write waits until the broker that died is out of the way.
    await log.publisher.publish(
      topic,
      Array.from({ length: 60 }, (_, n) => ({ key: `k${n}`, value: 'x'.repeat(250_000), headers: {} })),
    );
    await log.close();
    const file = await bundle('../../libs/messaging/src/testing/closing-consumer', folder);
    const begun = ['a', 'b'].map((which) => {
      const [handling, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const task = { brokers, topic, group: `faults-closing-${which}` };
      const child = new Child(`closing ${which}`, { file, task, logFile: join(folder, 'children.log') }, (line) =>
        (line === 'closing' ? closing : handling).resolve(),
      );
      return { child, handling: handling.promise, closing: closing.promise };
    });
    await Promise.all(begun.map(({ handling }) => handling));
    return new ClosingConsumers(
      begun.map(({ child }) => child),
      Promise.all(begun.map(({ closing }) => closing)),
    );
  }

  /** The exit code of each; null where it had to be killed. */
  ended(): Promise<readonly (number | null)[]> {
    return Promise.all(this.children.map((child) => child.ended(atMostMs)));
  }
}

import { openLog, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { clock, taskOf, printLine, type RelayTask } from './tasks';
import { stderrLogger } from './stderr-logger';

const fatal = (what: string, code: number) => (detail: unknown) => {
  process.stderr.write(`${what}: ${detail instanceof Error ? detail.message : String(detail)}\n`);
  process.exit(code);
};
const parked = fatal('a record was parked', 4);

/** A service in small: consumes a topic, publishes in its turn, reports what took effect. */
async function main(): Promise<void> {
  const task = taskOf<RelayTask>();
  const logger = stderrLogger(task.group);
  const log = await openLog({
    kafka: { brokers: task.brokers, clientId: task.group, sessionTimeoutMs: task.sessionTimeoutMs },
    logger,
  });

  const handle = async (records: readonly LogRecord[]): Promise<readonly Verdict[]> => {
    if (task.to !== undefined) {
      await log.publisher.publish(
        task.to,
        records.map(({ key, value, headers }) => ({ key, value, headers })),
      );
    }
    const at = clock();
    printLine(
      records.map(({ key, value, partition }) => ({
        key,
        n: (JSON.parse(value.toString()) as { n: number }).n,
        partition,
        at,
      })),
    );
    return records.map(() => 'done');
  };
  const consumer = await log.consume({
    group: task.group,
    topics: [task.from],
    handle,
    // An outage of servers must not park anything, so any parking is a failure of the suite.
    parking: {
      assigned: () => undefined,
      parkedKeys: () => Promise.resolve(new Set<string>()),
      park: (_group, _record, reason) => Promise.reject(new Error(String(parked(reason)))),
    },
    isInfrastructureError: () => false,
    onFatal: fatal('the consumer is over', 3),
    logger,
  });
  process.once('SIGTERM', () => {
    void consumer
      .close()
      .then(() => log.close())
      .then(() => process.exit(0));
  });
  // It consumes, and a stop ends it in order.
  printLine([]);
}

await main();

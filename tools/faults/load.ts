import { openLog, PublishRefused, type EventLog } from '@opendsr-service/messaging';
import { clock, taskOf, printLine, type LoadTask } from './tasks';
import { stderrLogger } from './stderr-logger';

const tickMs = 10;

/**
 * Publishes at a steady rate and reports acknowledged records. A refused record was not written, so its number is used
 * again.
 */
async function publishNext(log: EventLog, topic: string, key: string, next: Map<string, number>): Promise<void> {
  const n = next.get(key) ?? 0;
  next.set(key, n + 1);
  const sentAt = clock();
  try {
    await log.publisher.publish(topic, [{ key, value: JSON.stringify({ n }), headers: {} }], { deadlineMs: 120_000 });
    printLine({ key, n, sentAt, at: clock() });
  } catch (error) {
    if (!(error instanceof PublishRefused)) throw error;
    // Refusals come before the call returns, so nothing was numbered after this record.
    next.set(key, n);
  }
}

async function main(): Promise<void> {
  const task = taskOf<LoadTask>();
  const log = await openLog({ kafka: { brokers: task.brokers, clientId: 'load' }, logger: stderrLogger('load') });
  const next = new Map<string, number>();
  const perTick = (task.recordsPerSecond * tickMs) / 1_000;
  const running = new Set<Promise<void>>();
  let due = 0;
  let turn = 0;
  let before = clock();
  const timer = setInterval(() => {
    const now = clock();
    due += ((now - before) / tickMs) * perTick;
    before = now;
    for (; due >= 1; due -= 1) {
      const publishing = publishNext(log, task.topic, `k${turn++ % task.keys}`, next);
      running.add(publishing);
      void publishing.finally(() => running.delete(publishing));
    }
  }, tickMs);
  process.once('SIGTERM', () => {
    clearInterval(timer);
    void Promise.all(running)
      .then(() => log.close())
      .then(() => process.exit(0));
  });
}

await main();

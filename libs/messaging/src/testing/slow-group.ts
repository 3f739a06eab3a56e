import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '../open-log';
import type { Consumer, EventLog } from '../port';
import type { KafkaOptions } from '../kafka/client';
import { Listener } from './listener';
import { until } from './until';

const GROUP = 'slow';
const TOPIC = 'slow';
const PARTITIONS = 4;
const BACKLOG = 4_000;
const ARRIVE_EVERY_MS = 200;

export interface SlowGroupPace {
  /** How long the handler takes for a record; a partition's records one after the other. */
  readonly recordMs: number;
  readonly rebalanceEveryMs: number;
  readonly roundsPerWindow: number;
  readonly windows: number;
}

/** So many times longer a window may be in which nothing is committed. */
const ON_A_SLOW_MACHINE = 10;

/**
 * Two members of a group with a backlog, steady arrivals and a slow handler, and a third that comes and goes, so that
 * the group shares out its partitions again and again. Answers how many records were committed in each window of some
 * rounds.
 */
export async function committedByWindow(
  kafka: KafkaOptions,
  replication: { readonly replication: number; readonly minIsr: number },
  pace: SlowGroupPace,
): Promise<number[]> {
  const logs = await Promise.all([1, 2, 3].map(() => openLog({ kafka })));
  const [first, , visited] = logs as [EventLog, EventLog, EventLog];
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: '', headers: {} }));
  const join = (log: EventLog) =>
    Listener.join(log, GROUP, [TOPIC], {
      answer: (records) => delay(records.length * pace.recordMs).then(() => records.map(() => 'done')),
    });
  const roundsOf = (hasCommitted: boolean) => pace.roundsPerWindow * (hasCommitted ? 1 : ON_A_SLOW_MACHINE);
  let arriving: NodeJS.Timeout | undefined;
  try {
    await first.topics.apply([{ name: TOPIC, partitions: PARTITIONS, retentionMs: -1 }], replication);
    await first.publisher.publish(TOPIC, numbered(BACKLOG));
    arriving = setInterval(
      () => void first.publisher.publish(TOPIC, numbered(PARTITIONS)).catch(() => undefined),
      ARRIVE_EVERY_MS,
    );
    const members = await Promise.all(logs.slice(0, 2).map(join));
    const consumer = members[0]?.[1] as Consumer;
    await until(() => members.every(([, member]) => member.state === 'consuming'));

    const windows: number[] = [];
    let before = await committed(consumer);
    while (windows.length < pace.windows) {
      let now = before;
      for (let round = 0; round < roundsOf(now > before); round += 1) {
        const [, visitor] = await join(visited);
        await delay(pace.rebalanceEveryMs / 2);
        await visitor.close();
        await delay(pace.rebalanceEveryMs / 2);
        now = await committed(consumer);
      }
      windows.push(now - before);
      before = now;
    }
    return windows;
  } finally {
    clearInterval(arriving);
    await Promise.all(logs.map((log) => log.close()));
  }
}

const committed = async (consumer: Consumer): Promise<number> =>
  (await consumer.lag()).reduce((sum, { end = 0, lag = 0 }) => sum + Number(end) - lag, 0);

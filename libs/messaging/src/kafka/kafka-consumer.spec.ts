import { EventEmitter, getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { silentLogger } from '../consumption/silent-logger';
import { MemoryParking } from '../testing/memory-parking';
import { until } from '../testing/until';
import { KafkaConsumer } from './kafka-consumer';
import { ClusterNames } from './cluster-names';

const silentAfterMs = 30_000;
/** The longest time between two looks whether it was silent. */
const lookMs = 5_000;

/** A consumer of kafkajs with given answers. */
class ScriptedConsumer extends EventEmitter {
  readonly events = { CRASH: 'crash', FETCH: 'fetch', GROUP_JOIN: 'join', REQUEST: 'request' };
  isOver = false;
  readonly connect = () => Promise.resolve();
  readonly subscribe = () => Promise.resolve();
  readonly run = () => Promise.resolve();
  readonly disconnect = () => {
    this.isOver = true;
    return Promise.resolve();
  };

  says(event: 'FETCH' | 'GROUP_JOIN'): void {
    this.emit(this.events[event], { payload: { nodeId: 1 } });
  }
}

describe('the silence limit of a consumer', () => {
  let lives: ScriptedConsumer[];
  let consumer: KafkaConsumer;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout'] });
    lives = [];
    const newClient = () => ({ consumer: () => lives[lives.push(new ScriptedConsumer()) - 1] }) as unknown as Kafka;
    const rules = {
      group: 'g',
      handle: () => Promise.resolve([]),
      parking: new MemoryParking(),
      isInfrastructureError: () => false,
      logger: silentLogger,
    };
    const parts = {
      newClient,
      names: new ClusterNames(''),
      sessionTimeoutMs: 10_000,
      rebalanceTimeoutMs: 15_000,
      silentAfterMs,
      chunkMs: 3_000,
    };
    consumer = new KafkaConsumer(parts, { ...rules, topics: ['t'], onFatal: () => undefined });
  });

  afterEach(async () => {
    await consumer.close();
    jest.useRealTimers();
  });

  it('resets, also within a session, with a repeated fetch without records in hand, but not with the first', async () => {
    for (const limit of [1, 2, 4]) {
      const before = lives.length;
      jest.advanceTimersByTime(limit * silentAfterMs + lookMs);
      await until(() => lives.length > before);
    }
    const life = lives[3] as ScriptedConsumer;
    life.says('GROUP_JOIN');
    life.says('FETCH');
    jest.advanceTimersByTime(2 * silentAfterMs);
    await turn();
    expect(life.isOver).toBe(false);
    life.says('FETCH');
    jest.advanceTimersByTime(silentAfterMs + lookMs);
    await turn();
    expect(life.isOver).toBe(true);
  });

  it('leaves nothing behind of a consumer that it replaces', async () => {
    const { signal } = (consumer as unknown as { over: AbortController }).over;
    const listeners = () => getEventListeners(signal, 'abort').length;
    const before = listeners();
    for (const limit of [1, 2]) {
      const made = lives.length;
      jest.advanceTimersByTime(limit * silentAfterMs + lookMs);
      await until(() => lives.length > made);
    }
    expect(listeners()).toBe(before);
  });
});

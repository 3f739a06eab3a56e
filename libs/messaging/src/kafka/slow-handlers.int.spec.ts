import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeInFull } from '@opendsr-service/storage/testing';
import { openLog } from '../open-log';
import { allDone, Listener } from '../testing/listener';
import { committedByWindow } from '../testing/slow-group';
import { until } from '../testing/until';

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];
const single = { replication: 1, minIsr: 1 };
const silentAfterMs = 3_000;
const kafkaOf = () => ({
  brokers,
  clientId: 'slow',
  topicPrefix: `${randomUUID()}.`,
  sessionTimeoutMs: 6_000,
  silentAfterMs,
});

describe('handlers that take longer than the silence limit', () => {
  beforeAll(() => {
    if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
  });

  describeInFull('with a backlog', () => {
    it('handle a backlog of five hundred records in ten times the limit, despite repeated rebalances', async () => {
      const pace = { recordMs: (10 * silentAfterMs) / 500, rebalanceEveryMs: 2_000, roundsPerWindow: 3, windows: 4 };
      const windows = await committedByWindow({ ...kafkaOf(), chunkMs: 300, rebalanceTimeoutMs: 1_500 }, single, pace);
      expect(windows.filter((count) => count <= 0)).toEqual([]);
    });
  });

  it('are not silent while the group waits for one long record, which is handled once', async () => {
    const kafka = kafkaOf();
    const [one, two] = await Promise.all([openLog({ kafka }), openLog({ kafka })]);
    await one.topics.apply([{ name: 'long', partitions: 2, retentionMs: -1 }], single);
    await one.publisher.publish('long', [{ key: 'k', value: 'long', headers: {} }]);
    let begun = false;
    const answer = async (records: Parameters<typeof allDone>[0]) => {
      begun = true;
      await delay(3 * silentAfterMs);
      return allDone(records);
    };
    const [first, staying] = await Listener.join(one, 'long', ['long'], { answer });
    await until(() => begun);
    const [second, joining] = await Listener.join(two, 'long', ['long']);
    await until(() => joining.state === 'consuming' && staying.state === 'consuming');
    await until(async () => (await staying.lag()).every(({ lag }) => lag === 0));
    expect([first.calls.length, first.values, second.values]).toEqual([1, ['long'], []]);
    await Promise.all([one.close(), two.close()]);
  });
});

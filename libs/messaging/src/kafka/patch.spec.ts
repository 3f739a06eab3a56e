/// <reference types="./kafkajs-internals" />
import { readFileSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';
import Cluster from 'kafkajs/src/cluster';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { patchedVersion, patchKafkajs } from './patch';

describe('the patch of kafkajs', () => {
  const methods = () => [
    RequestQueue.prototype.scheduleCheckPendingRequests,
    ...[Cluster.prototype].flatMap((cluster) => [cluster.connect, cluster.disconnect, cluster.refreshMetadata, cluster.refreshMetadataIfNecessary, cluster.metadata, cluster.findBroker]),
    ...[ConsumerGroup.prototype].flatMap((group) => [group.heartbeat, group.joinAndSync, group.recoverFromFetch]),
  ];
  const original = methods();

  it('is made for the version that is installed', () => {
    const { version } = JSON.parse(readFileSync(require.resolve('kafkajs/package.json'), 'utf8')) as { version: string };
    expect(version).toBe(patchedVersion);
  });

  it('finds every method that it mends', () => {
    expect(original.map((method) => typeof method)).toEqual(original.map(() => 'function'));
  });

  it('mends once', () => {
    patchKafkajs();
    const mended = methods();
    patchKafkajs();
    expect(methods()).toEqual(mended);
    expect(mended.filter((method, at) => method === original[at])).toEqual([]);
  });

  it('keeps a closed client closed', async () => {
    patchKafkajs();
    const admin = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
    await admin.disconnect();
    await expect(admin.connect()).rejects.toThrow('the client was closed');
  });

  it('names it where no broker tells of the cluster, at which kafkajs would stumble', async () => {
    patchKafkajs();
    const brokerPool = { refreshMetadataIfNecessary: () => Promise.resolve(), withBroker: () => Promise.resolve(null) };
    const retrier = (run: () => Promise<unknown>) => run();
    const cluster = Object.assign(Object.create(Cluster.prototype) as object, { brokerPool, retrier }) as unknown as Cluster;
    await expect(cluster.metadata()).rejects.toMatchObject({ name: 'KafkaJSConnectionError', message: 'no broker tells of the cluster' });
  });

  it('ends a consumer whose position the log does not hold, where kafkajs would jump', async () => {
    patchKafkajs();
    const outOfRange = Object.assign(new Error('out of range'), { name: 'KafkaJSOffsetOutOfRange' });
    const group = Object.create(ConsumerGroup.prototype) as ConsumerGroup;
    await expect(group.recoverFromFetch(outOfRange)).rejects.toMatchObject({ retriable: false, cause: outOfRange });
  });

  it('looks at the metadata again when a leader moved, without a new round of the whole group', async () => {
    patchKafkajs();
    let looks = 0;
    const cluster = { refreshMetadata: () => Promise.resolve(void looks++) };
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as object, { cluster }) as unknown as ConsumerGroup;
    await group.recoverFromFetch(Object.assign(new Error('moved'), { type: 'NOT_LEADER_FOR_PARTITION' }));
    expect(looks).toBe(1);
  });
});

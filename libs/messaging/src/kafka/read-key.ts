/// <reference types="./kafkajs-internals" />
import type { Kafka } from 'kafkajs';
import type Broker from 'kafkajs/src/broker';
import type Cluster from 'kafkajs/src/cluster';
import Batch from 'kafkajs/src/consumer/batch';
import { LogAway, UnknownTopic } from '../errors';
import { type KeyReadBudget, KeyScan, type LeftFrom, readEach } from '../key-scan';
import type { KeyQuestion, KeyRead, KeyReadDenied, KeyReadStart } from '../port';
import type { ClusterNames } from './cluster-names';
import { clusterOf } from './cluster-of';
import { connectionFault } from './connection-fault';
import { disconnect } from './disconnect';
import { brokerLost, leaderMoved, outOfRange, unknownTopic } from './faults';
import { partitionOf } from './partition-of';
import { ReadDeadline } from './read-deadline';
import { toRecord } from './to-record';

/** Of one fetch; a record may have more. */
const fetchBytes = 512 * 1024;
const fetchWaitMs = 100;
/** How long a read may take beyond its bound: what hangs longer is away. */
const patienceMs = 10_000;
/** Times that Kafka knows by these names. */
const EARLIEST = -2;
const LATEST = -1;

interface KeyReadParts {
  readonly kafka: Kafka;
  readonly names: ClusterNames;
  readonly closed: AbortSignal;
  readonly tidyTimeoutMs: number;
}

/** Fetches from the leader of one partition of each topic: no group, no commit, no record of another partition. */
export async function readKey(
  { kafka, names, closed, tidyTimeoutMs }: KeyReadParts,
  question: KeyQuestion,
): Promise<readonly (KeyRead | KeyReadDenied)[]> {
  closed.throwIfAborted();
  const cluster = clusterOf(kafka);
  const deadline = new ReadDeadline(question.bounds.timeMs + patienceMs, closed);
  const connecting = cluster.connect();
  const read = (start: KeyReadStart, budget: KeyReadBudget) =>
    readTopicKey(cluster, names, start, { key: question.key, budget });
  try {
    await deadline.race(connecting);
    return await deadline.race(readEach(question, read));
  } catch (error) {
    throw isAway(error) ? new LogAway('the log went away while a key was read', { cause: error }) : error;
  } finally {
    deadline.pause();
    await disconnect(cluster, connecting, tidyTimeoutMs);
  }
}

const isAway = (error: unknown): boolean => brokerLost(error) || leaderMoved(error) || outOfRange(error);

interface Reading {
  readonly key: string;
  readonly budget: KeyReadBudget;
}

async function readTopicKey(
  cluster: Cluster,
  names: ClusterNames,
  start: KeyReadStart,
  { key, budget }: Reading,
): Promise<KeyRead | KeyReadDenied> {
  const { topic } = start;
  try {
    const place = await placeOf(cluster, names.toCluster(topic), key);
    const { begin, end, leftFromMs } = await rangeOf(place, start.from);
    const scan = new KeyScan(key, budget, begin, end);
    while (scan.goesOn) {
      const batch = await fetchFrom(place, scan.position);
      scan.take(
        batch.messages.map((message) => toRecord(topic, place.partition, message)),
        BigInt(batch.lastOffset()) + 1n,
      );
    }
    return scan.result({ topic, partition: place.partition, leftFromMs });
  } catch (error) {
    if (connectionFault(error)?.kind === 'authorization') return { topic, isDenied: true };
    throw unknownTopic(error) ? new UnknownTopic(topic, { cause: error }) : error;
  }
}

/** The partition of a key, and the broker that leads it. `topic`: as the cluster knows it. */
interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly broker: Broker;
}

async function placeOf(cluster: Cluster, topic: string, key: string): Promise<Place> {
  await cluster.addMultipleTargetTopics([topic]);
  const partitions = cluster.findTopicPartitionMetadata(topic).length;
  if (partitions === 0) throw new LogAway('no broker knows the partitions of a topic yet');
  const partition = partitionOf(key, partitions);
  const [nodeId = ''] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  return { topic, partition, broker: await cluster.findBroker({ nodeId }) };
}

async function rangeOf(
  place: Place,
  from: string | Date,
): Promise<{ readonly begin: bigint; readonly end: bigint } & LeftFrom> {
  const [{ offset: low }, { offset: end }] = await Promise.all([offsetAt(place, EARLIEST), offsetAt(place, LATEST)]);
  const isTime = typeof from !== 'string';
  const wanted = isTime ? (await offsetAt(place, from.getTime())).offset : BigInt(from);
  // No record is so late.
  const start = wanted < 0n || wanted > end ? end : wanted;
  const isCut = isTime ? start === low && low > 0n : start < low;
  // Zero: the first record of any time. A partition without one answers -1.
  const first = isCut ? await offsetAt(place, 0) : undefined;
  return {
    begin: start < low ? low : start,
    end,
    leftFromMs: first && (first.offset < 0n ? null : first.timestampMs),
  };
}

/** The first record that is not older; -1: all are. */
async function offsetAt(
  { topic, partition, broker }: Place,
  timestamp: number,
): Promise<{ readonly offset: bigint; readonly timestampMs: number }> {
  const { responses } = await broker.listOffsets({ topics: [{ topic, partitions: [{ partition, timestamp }] }] });
  const found = answered(responses[0]?.partitions[0]);
  return { offset: BigInt(found.offset), timestampMs: Number(found.timestamp) };
}

async function fetchFrom({ topic, partition, broker }: Place, fetchOffset: string): Promise<Batch> {
  const { responses } = await broker.fetch({
    maxWaitTime: fetchWaitMs,
    maxBytes: fetchBytes,
    topics: [{ topic, partitions: [{ partition, fetchOffset, maxBytes: fetchBytes }] }],
  });
  return new Batch(topic, fetchOffset, answered(responses[0]?.partitions[0]));
}

function answered<P>(partition: P | undefined): P {
  if (partition === undefined) throw new LogAway('a broker answered without the partition that was asked for');
  return partition;
}

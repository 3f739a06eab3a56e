/// <reference types="./kafkajs-internals" />
import type Cluster from 'kafkajs/src/cluster';
import { LogAway, UnknownTopic } from '../errors';
import { type KeyReadBudget, KeyScan, type LeftFrom, readEach } from '../key-scan';
import type { KeyQuestion, KeyRead, KeyReadDenied, KeyReadStart } from '../port';
import type { ClusterNames } from './cluster-names';
import { connectionFault } from './connection-fault';
import { brokerLost, leaderMoved, outOfRange, unknownTopic } from './faults';
import { fetchFrom, leaderOf, offsetAt, onCluster, type PartitionLeader, type ReadParts } from './partition-leader';
import { partitionOf } from './partition-of';
import { ReadDeadline } from './read-deadline';
import { toRecord } from './to-record';

/** How long a read may take beyond its bound: what hangs longer is away. */
const patienceMs = 10_000;
/** Times that Kafka knows by these names. */
const EARLIEST = -2;
const LATEST = -1;

/** Fetches from the leader of one partition of each topic: no group, no commit, no record of another partition. */
export async function readKey(parts: ReadParts, question: KeyQuestion): Promise<readonly (KeyRead | KeyReadDenied)[]> {
  parts.closed.throwIfAborted();
  const deadline = new ReadDeadline(question.bounds.timeMs + patienceMs, parts.closed);
  try {
    return await onCluster(parts, deadline, (cluster) => {
      const read = (start: KeyReadStart, budget: KeyReadBudget) =>
        readTopicKey(cluster, parts.names, start, { key: question.key, budget });
      return deadline.race(readEach(question, read));
    });
  } catch (error) {
    throw isAway(error) ? new LogAway('the log went away while a key was read', { cause: error }) : error;
  } finally {
    deadline.pause();
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

async function placeOf(cluster: Cluster, topic: string, key: string): Promise<PartitionLeader> {
  await cluster.addMultipleTargetTopics([topic]);
  const partitions = cluster.findTopicPartitionMetadata(topic).length;
  if (partitions === 0) throw new LogAway('no broker knows the partitions of a topic yet');
  return leaderOf(cluster, topic, partitionOf(key, partitions));
}

async function rangeOf(
  place: PartitionLeader,
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

/// <reference types="./kafkajs-internals" />
import { inPages } from '@opendsr-service/storage';
import type Cluster from 'kafkajs/src/cluster';
import { LogAway, UnknownTopic } from '../errors';
import type { LogRecord, Positions } from '../records';
import { missingRight } from './connection-fault';
import { brokerLost, leaderMoved, outOfRange, unknownTopic } from './faults';
import { endsOf, type PartitionEnds } from './kafka-lag';
import { fetchFrom, leaderOf, onCluster, type ReadParts } from './partition-leader';
import type { ClusterNames } from './cluster-names';
import { ReadDeadline } from './read-deadline';
import { retryUntilSettled } from './retry-until-settled';
import { toRecord } from './to-record';

const mostRecords = 500;

export interface ReadRequest {
  readonly topic: string;
  readonly from: Positions;
  readonly deadlineMs: number;
  readonly handle: (records: readonly LogRecord[]) => Promise<void>;
}

/** Separates errors of the caller's handler from Kafka's. */
class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
}

/** A broker does not know the partitions of a topic yet. */
class NoPartitions extends Error {}

/** Reads a topic to its present end, from the leader of each partition: no group and no commit. */
export async function readTopic(parts: ReadParts, request: ReadRequest): Promise<Positions> {
  parts.closed.throwIfAborted();
  const deadline = new ReadDeadline(request.deadlineMs, parts.closed);
  try {
    return await new TopicReading(parts, request, deadline).read();
  } catch (error) {
    throw faultOf(error, request.topic, parts.names);
  } finally {
    deadline.pause();
  }
}

function faultOf(error: unknown, topic: string, names: ClusterNames): unknown {
  if (error instanceof HandlerFailed) return error.cause;
  if (error instanceof LogAway) return error;
  if (unknownTopic(error)) return new UnknownTopic(topic, { cause: error });
  if (brokerLost(error) || leaderMoved(error))
    return new LogAway(`the log went away while ${topic} was read`, { cause: error });
  const denied = missingRight(error, `Read on topic ${names.toCluster(topic)}`);
  return denied ?? new Error(`topic ${topic} could not be read`, { cause: error });
}

class TopicReading {
  private readonly positions: Record<string, string>;
  /** A broker has named its partitions: one that does not know the topic is behind. */
  private isKnown = false;
  private hasBegun = false;
  private moved: unknown;

  constructor(
    private readonly parts: ReadParts,
    private readonly request: ReadRequest,
    private readonly deadline: ReadDeadline,
  ) {
    this.positions = { ...request.from };
  }

  /**
   * Each retry uses a new connection: a broker may learn late that it leads a partition, and kafkajs repeats its request to the
   * first leader only.
   */
  async read(): Promise<Positions> {
    try {
      return await retryUntilSettled(
        () => onCluster(this.parts, this.deadline, (cluster) => this.readOn(cluster)),
        (error) => this.passes(error),
        Infinity,
      );
    } catch (error) {
      throw error instanceof LogAway && this.moved ? new LogAway(error.message, { cause: this.moved }) : error;
    }
  }

  /** Leaders move, and records expire before they are read. A cluster that has answered comes back. */
  private passes(error: unknown): boolean {
    if (error instanceof HandlerFailed) return false;
    const isMoved = leaderMoved(error) || (this.isKnown && unknownTopic(error));
    if (isMoved) this.moved = error;
    const isAway = this.hasBegun && brokerLost(error);
    return isMoved || outOfRange(error) || isAway || error instanceof NoPartitions;
  }

  private async readOn(cluster: Cluster): Promise<Positions> {
    const topic = this.parts.names.toCluster(this.request.topic);
    const partitions = await this.deadline.race(findPartitions(cluster, topic));
    this.isKnown = true;
    const ends = await this.deadline.race(endsOf(cluster, topic, partitions));
    this.hasBegun = true;
    for (const end of ends) await this.readPartition(cluster, topic, end);
    return Object.fromEntries(ends.map(({ partition }) => [partition, this.positions[partition] as string]));
  }

  private async readPartition(cluster: Cluster, topic: string, ends: PartitionEnds): Promise<void> {
    const { partition } = ends;
    const end = BigInt(ends.high);
    let next = startOf(this.positions[partition], BigInt(ends.low), end);
    this.positions[partition] = next.toString();
    const leader = next < end && (await this.deadline.race(leaderOf(cluster, topic, partition)));
    while (leader && next < end) {
      const batch = await this.deadline.race(fetchFrom(leader, next.toString()));
      // The leader has nothing more that readers may get yet.
      if (batch.rawMessages.length === 0) continue;
      const unread = batch.messages.filter(({ offset }) => BigInt(offset) < end);
      await this.handle(unread.map((message) => toRecord(this.request.topic, partition, message)));
      const after = BigInt(batch.lastOffset()) + 1n;
      next = after < end ? after : end;
      this.positions[partition] = next.toString();
      this.deadline.restart();
    }
  }

  /** Its time does not count. */
  private async handle(records: readonly LogRecord[]): Promise<void> {
    this.deadline.pause();
    for (const page of inPages(records, mostRecords)) {
      try {
        await this.request.handle(page);
      } catch (cause) {
        throw new HandlerFailed('what was read could not be taken', { cause });
      }
      this.parts.closed.throwIfAborted();
    }
  }
}

async function findPartitions(cluster: Cluster, topic: string): Promise<{ readonly partition: number }[]> {
  await cluster.addMultipleTargetTopics([topic]);
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId }));
  if (partitions.length === 0) throw new NoPartitions();
  return partitions;
}

function startOf(position: string | undefined, low: bigint, high: bigint): bigint {
  const wanted = BigInt(position ?? low);
  // A position beyond the end belongs to a topic that was deleted and created again.
  return wanted < low || wanted > high ? low : wanted;
}

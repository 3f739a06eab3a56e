import type { Kafka } from 'kafkajs';
import { LogAway, UnknownTopic } from '../errors';
import type { LogRecord, Positions } from '../records';
import { missingRight } from './connection-fault';
import { brokerLost, groupDenied, leaderMoved, unknownTopic } from './faults';
import { disconnect } from './disconnect';
import type { ClusterNames } from './cluster-names';
import { retryUntilSettled } from './retry-until-settled';
import { ReadDeadline } from './read-deadline';
import { OffsetRangeReader, HandlerFailed } from './offset-range-reader';
import { OffsetRanges, type PartitionEnds } from './offset-ranges';

interface ReadParts {
  readonly kafka: Kafka;
  readonly names: ClusterNames;
  readonly closed: AbortSignal;
  readonly tidyTimeoutMs: number;
}

export interface ReadRequest {
  readonly topic: string;
  readonly from: Positions;
  readonly deadlineMs: number;
  readonly handle: (records: readonly LogRecord[]) => Promise<void>;
}

/** A broker does not know the partitions of a topic yet; kafkajs fails on that. */
class NoPartitions extends Error {}

function faultOf(error: unknown, topic: string): unknown {
  if (error instanceof HandlerFailed) return error.cause;
  if (error instanceof LogAway) return error;
  if (unknownTopic(error)) return new UnknownTopic(topic, { cause: error });
  if (brokerLost(error) || leaderMoved(error))
    return new LogAway(`the log went away while ${topic} was read`, { cause: error });
  const needs = groupDenied(error) ? 'Read on groups that begin with read-' : `Read on topic ${topic}`;
  return missingRight(error, needs) ?? new Error(`topic ${topic} could not be read`, { cause: error });
}

/** Reads a topic to its present end. Without new records that costs one request and no consumer. */
export async function readTopic(parts: ReadParts, request: ReadRequest): Promise<Positions> {
  parts.closed.throwIfAborted();
  const deadline = new ReadDeadline(request.deadlineMs, parts.closed);
  try {
    return await readRanges(parts, request, deadline);
  } catch (error) {
    throw faultOf(error, request.topic);
  } finally {
    deadline.pause();
  }
}

/** Starts again where records expired before they were read. */
async function readRanges(parts: ReadParts, request: ReadRequest, deadline: ReadDeadline): Promise<Positions> {
  const { kafka, names, tidyTimeoutMs } = parts;
  const { topic, handle } = request;
  for (let from = request.from; ;) {
    const ranges = new OffsetRanges(await findEnds(parts, topic, deadline), from);
    if (!ranges.finished)
      await new OffsetRangeReader({ deadline, kafka, names, tidyTimeoutMs, topic, handle }, ranges).read();
    if (ranges.finished) return ranges.positions;
    from = ranges.positions;
  }
}

/**
 * The ends of all partitions. Each retry uses a new connection: a broker may learn late that it leads a partition, and
 * kafkajs repeats its request to the first leader only.
 */
async function findEnds(parts: ReadParts, topic: string, deadline: ReadDeadline): Promise<readonly PartitionEnds[]> {
  let moved: unknown;
  const passes = (error: unknown): boolean => {
    if (leaderMoved(error)) moved = error;
    return leaderMoved(error) || error instanceof NoPartitions;
  };
  try {
    return await retryUntilSettled(() => fetchEnds(parts, topic, deadline), passes, Infinity);
  } catch (error) {
    throw error instanceof LogAway && moved ? new LogAway(error.message, { cause: moved }) : error;
  }
}

async function fetchEnds(
  { kafka, names, tidyTimeoutMs }: ReadParts,
  topic: string,
  deadline: ReadDeadline,
): Promise<readonly PartitionEnds[]> {
  const name = names.toCluster(topic);
  const admin = kafka.admin();
  const connecting = admin.connect();
  try {
    await deadline.race(connecting);
    const { topics } = await deadline.race(admin.fetchTopicMetadata({ topics: [name] }));
    if (!topics[0]?.partitions.length) throw new NoPartitions();
    const ends = await deadline.race(admin.fetchTopicOffsets(name));
    deadline.restart();
    return ends;
  } finally {
    await disconnect(admin, connecting, tidyTimeoutMs);
  }
}

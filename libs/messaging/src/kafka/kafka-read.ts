import type { Kafka } from 'kafkajs';
import { LogAway, UnknownTopic } from '../errors';
import type { LogRecord, Positions } from '../records';
import { brokerLost, leaderMoved, unknownTopic } from './faults';
import { letGo } from './let-go';
import type { Names } from './names';
import { onceSettled } from './once-settled';
import { Patience } from './patience';
import { SpanReader, TakeFailed } from './span-reader';
import { Spans, type PartitionEnds } from './spans';

export interface ReadParts {
  readonly kafka: Kafka;
  readonly names: Names;
  /** Aborts when the log is closed. */
  readonly closed: AbortSignal;
  readonly tidyTimeoutMs: number;
}

export interface ReadRequest {
  readonly topic: string;
  readonly from: Positions;
  readonly deadlineMs: number;
  readonly take: (records: readonly LogRecord[]) => Promise<void>;
}

/** A broker does not know the partitions of a topic yet, at which kafkajs would stumble. */
class NoPartitions extends Error {}

function faultOf(error: unknown, topic: string): unknown {
  if (error instanceof TakeFailed) return error.cause;
  if (error instanceof LogAway) return error;
  if (unknownTopic(error)) return new UnknownTopic(topic, { cause: error });
  if (brokerLost(error) || leaderMoved(error))
    return new LogAway(`the log went away while ${topic} was read`, { cause: error });
  return new Error(`topic ${topic} could not be read`, { cause: error });
}

/** Reads a topic to the end that it has now. Where there is nothing new, that costs a look at the partitions' ends and no consumer. */
export async function readTopic(parts: ReadParts, request: ReadRequest): Promise<Positions> {
  parts.closed.throwIfAborted();
  const patience = new Patience(request.deadlineMs, parts.closed);
  try {
    return await readOn(parts, request, patience);
  } catch (error) {
    throw faultOf(error, request.topic);
  } finally {
    patience.hold();
  }
}

/** Looks anew where records were deleted before they could be read. */
async function readOn(parts: ReadParts, request: ReadRequest, patience: Patience): Promise<Positions> {
  const { kafka, names, tidyTimeoutMs } = parts;
  const { topic, take } = request;
  for (let from = request.from; ;) {
    const spans = new Spans(await endsOf(parts, topic, patience), from);
    if (!spans.finished) await new SpanReader({ patience, kafka, names, tidyTimeoutMs, topic, take }, spans).read();
    if (spans.finished) return spans.positions;
    from = spans.positions;
  }
}

/**
 * The ends of all partitions. A broker may learn a moment late that it leads one, as after a topic was made, and another may lead it since: kafkajs
 * asks the leader that it first heard of, once, so it is asked again over a new connection.
 */
async function endsOf(parts: ReadParts, topic: string, patience: Patience): Promise<readonly PartitionEnds[]> {
  let moved: unknown;
  const passes = (error: unknown): boolean => {
    if (leaderMoved(error)) moved = error;
    return leaderMoved(error) || error instanceof NoPartitions;
  };
  try {
    // Whose patience ends throws what does not pass.
    return await onceSettled(() => lookAtEnds(parts, topic, patience), passes, Infinity);
  } catch (error) {
    throw error instanceof LogAway && moved ? new LogAway(error.message, { cause: moved }) : error;
  }
}

async function lookAtEnds(
  { kafka, names, tidyTimeoutMs }: ReadParts,
  topic: string,
  patience: Patience,
): Promise<readonly PartitionEnds[]> {
  const name = names.onCluster(topic);
  const admin = kafka.admin();
  const connecting = admin.connect();
  try {
    await patience.of(connecting);
    const { topics } = await patience.of(admin.fetchTopicMetadata({ topics: [name] }));
    if (!topics[0]?.partitions.length) throw new NoPartitions();
    const ends = await patience.of(admin.fetchTopicOffsets(name));
    patience.renew();
    return ends;
  } finally {
    await letGo(admin, connecting, tidyTimeoutMs);
  }
}

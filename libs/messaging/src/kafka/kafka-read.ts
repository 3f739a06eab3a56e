import type { Admin, Kafka } from 'kafkajs';
import { LogAway, UnknownTopic } from '../errors';
import type { LogRecord, Positions } from '../records';
import { brokerLost, leaderMoved, unknownTopic } from './faults';
import { letGo } from './let-go';
import type { Names } from './names';
import { Patience } from './patience';
import { SpanReader, TakeFailed } from './span-reader';
import { Spans } from './spans';

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

function faultOf(error: unknown, topic: string): unknown {
  if (error instanceof TakeFailed) return error.cause;
  if (error instanceof LogAway) return error;
  if (unknownTopic(error)) return new UnknownTopic(topic, { cause: error });
  if (brokerLost(error) || leaderMoved(error)) return new LogAway(`the log went away while ${topic} was read`, { cause: error });
  return new Error(`topic ${topic} could not be read`, { cause: error });
}

/** Reads a topic to the end that it has now. Where there is nothing new, that costs a look at the partitions' ends and no consumer. */
export async function readTopic(parts: ReadParts, request: ReadRequest): Promise<Positions> {
  parts.closed.throwIfAborted();
  const patience = new Patience(request.deadlineMs, parts.closed);
  const admin = parts.kafka.admin();
  const connecting = admin.connect();
  try {
    await patience.of(connecting);
    return await readOn(parts, request, { admin, patience });
  } catch (error) {
    throw faultOf(error, request.topic);
  } finally {
    patience.hold();
    await letGo(admin, connecting, parts.tidyTimeoutMs);
  }
}

/** Looks anew where records were deleted before they could be read. */
async function readOn(parts: ReadParts, request: ReadRequest, errand: { readonly admin: Admin; readonly patience: Patience }): Promise<Positions> {
  const { kafka, names, tidyTimeoutMs } = parts;
  const { topic, take } = request;
  for (let from = request.from; ; ) {
    const ends = await errand.patience.of(errand.admin.fetchTopicOffsets(names.onCluster(topic)));
    const spans = new Spans(ends, from);
    if (!spans.finished) await new SpanReader({ ...errand, kafka, names, tidyTimeoutMs, topic, take }, spans).read();
    if (spans.finished) return spans.positions;
    from = spans.positions;
  }
}

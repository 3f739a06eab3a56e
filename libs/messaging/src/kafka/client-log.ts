import type { LogEntry } from 'kafkajs';
import { ErrorSummary } from '../error-summary';
import type { MessagingLogger } from '../port';

/** Equal lines are suppressed for this time: an outage causes several a second from each connection. */
const repeatAfterMs = 60_000;
const mostKinds = 200;

interface WrittenLine {
  readonly atMs: number;
  leftOut: number;
}

export class ClientLog {
  private readonly written = new Map<string, WrittenLine>();

  constructor(
    private readonly logger: MessagingLogger,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Writes a line, or counts a repeat within a minute; the next written line has that count. */
  writeEntry({ namespace, log }: LogEntry): void {
    const fields = fieldsOf(namespace, log);
    const kind = `${namespace} ${String(fields.host)} ${fields.reason.replace(/\d+/g, '0')}`;
    const known = this.written.get(kind);
    if (known && this.nowMs() - known.atMs < repeatAfterMs) {
      known.leftOut += 1;
      return;
    }
    if (this.written.size >= mostKinds) this.written.clear();
    this.written.set(kind, { atMs: this.nowMs(), leftOut: 0 });
    this.logger.warn(
      known && known.leftOut > 0 ? { ...fields, count: known.leftOut } : fields,
      'The Kafka client reports a fault',
    );
  }
}

const linesOfLogger = new WeakMap<MessagingLogger, ClientLog>();

/** All clients of one logger share its suppression. */
export function clientLogFor(logger: MessagingLogger): ClientLog {
  const lines = linesOfLogger.get(logger) ?? new ClientLog(logger);
  linesOfLogger.set(logger, lines);
  return lines;
}

const textOf = (value: unknown): string => (value instanceof Error ? value.message : String(value));

/** Fields of kafkajs that hold nothing of a record. */
function fieldsOf(
  namespace: string,
  {
    message,
    error,
    broker,
    groupId,
    memberId,
    topic,
    partition,
    retryCount,
    retryTime,
  }: Readonly<Record<string, unknown>>,
) {
  return {
    client: namespace,
    reason: [message, error]
      .filter((part) => part !== undefined)
      .map(textOf)
      .join(': '),
    host: broker,
    group: groupId,
    memberId,
    topic,
    partition,
    attempt: retryCount,
    waitMs: retryTime,
    ...(error instanceof Error && { error: new ErrorSummary(error) }),
  };
}

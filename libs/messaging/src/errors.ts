/** The deadline passed before the acknowledgement. The records may still be written later. */
export class PublishTimeout extends Error {
  override readonly name = 'PublishTimeout';
}

type RefusalReason = 'away' | 'full' | 'closed' | 'unknown-topic' | 'too-large' | 'rejected';

const TEMPORARY: ReadonlySet<RefusalReason> = new Set(['away', 'full', 'closed']);

/** The records were certainly not accepted and will not appear in the log. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused';

  constructor(
    readonly reason: RefusalReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the log may accept the same records later. */
  get isTemporary(): boolean {
    return TEMPORARY.has(this.reason);
  }
}

/** The log is away, silent for too long, or closed: the same read can succeed later. */
export class LogAway extends Error {
  override readonly name = 'LogAway';
}

/** Whether the log takes or gives nothing for now, so that the same call can succeed later. */
export const isLogAway = (error: unknown): boolean =>
  error instanceof PublishTimeout || error instanceof LogAway || (error instanceof PublishRefused && error.isTemporary);

/** Whether a publish ended without an acknowledgement, for now or for good: for callers that publish again in any case. */
export const isUnacknowledged = (error: unknown): boolean =>
  error instanceof PublishTimeout || error instanceof PublishRefused;

export class UnknownTopic extends Error {
  override readonly name = 'UnknownTopic';

  constructor(topic: string, options?: ErrorOptions) {
    super(`topic ${topic} does not exist`, options);
  }
}

/** The log no longer holds the group's position: records are lost, and an operator must decide. */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
}

/** The positions of a group cannot be changed while it has members, which would commit their own again. */
export class GroupInUse extends Error {
  override readonly name = 'GroupInUse';

  constructor(group: string, options?: ErrorOptions) {
    super(`the consumer group ${group} has members: stop the services that read in it`, options);
  }
}

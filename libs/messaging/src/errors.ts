/**
 * The deadline passed before the log acknowledged. The records were not taken back: they may still be written later.
 */
export class PublishTimeout extends Error {
  override readonly name = 'PublishTimeout';
}

/** Why records were not accepted: only the first three pass by themselves. */
export type RefusalReason = 'away' | 'full' | 'closed' | 'unknown-topic' | 'too-large' | 'rejected';

/** The records were certainly not accepted, nothing of them will appear in the log. */
export class PublishRefused extends Error {
  override readonly name = 'PublishRefused';

  constructor(
    readonly reason: RefusalReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The log could not be read because it is away, silent for too long, or closed: the same read can succeed later. */
export class LogAway extends Error {
  override readonly name = 'LogAway';
}

/** There is no such topic: it has to be made. */
export class UnknownTopic extends Error {
  override readonly name = 'UnknownTopic';

  constructor(topic: string, options?: ErrorOptions) {
    super(`topic ${topic} does not exist`, options);
  }
}

/** The group's position lies outside of what the log still holds: records were lost to it, and a person must decide. */
export class OffsetOutOfRange extends Error {
  override readonly name = 'OffsetOutOfRange';
}

/**
 * The positions of a group cannot be changed while it has members: they hold their own, and would commit them again.
 */
export class GroupInUse extends Error {
  override readonly name = 'GroupInUse';

  constructor(group: string, options?: ErrorOptions) {
    super(`the consumer group ${group} has members: stop the services that read in it`, options);
  }
}

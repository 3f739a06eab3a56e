import { TOPICS } from '@opendsr-service/contracts';
import { ErrorSummary, type EventLog, type PartitionLag } from '@opendsr-service/messaging';
import type { Logger } from '@opendsr-service/service';

type Ends = ReadonlyMap<string, bigint>;

/** Log ends at a time: of commands, then of the events written once the request service had passed those. */
interface Mark {
  readonly at: Date;
  readonly commands: Ends;
  events?: Ends;
}

const nameOf = ({ topic, partition }: PartitionLag): string => `${topic} ${partition}`;
const endsOf = (lags: readonly PartitionLag[]): Ends => new Map(lags.map((one) => [nameOf(one), BigInt(one.end)]));
const isPast = (lags: readonly PartitionLag[], ends: Ends): boolean =>
  lags.every((one) => BigInt(one.end) - BigInt(one.lag) >= (ends.get(nameOf(one)) ?? 0n));
/** A restored or recreated topic may never reach an old mark. */
const isShorter = (lags: readonly PartitionLag[], ends: Ends | undefined): boolean =>
  lags.some((one) => BigInt(one.end) < (ends?.get(nameOf(one)) ?? 0n));

interface AnsweredCommandsParts {
  readonly log: Logger;
  /** How long a result is cached; each refresh opens connections. Milliseconds. */
  readonly keepMs: number;
}

/** Finds out how far commands are answered, so that queued ones are not sent again (decision 1). */
export class AnsweredCommands {
  private mark: Mark | undefined;
  private until = new Date(0);
  private askedAt: Date | undefined;
  private isLagKnown = true;

  constructor(
    private readonly events: Pick<EventLog, 'lag'>,
    private readonly parts: AnsweredCommandsParts,
  ) {}

  /** All commands in the log up to this time are handled and their events applied. `now` where lags are unavailable. */
  async answeredUntil(now: Date): Promise<Date> {
    if (this.askedAt === undefined || now.getTime() - this.askedAt.getTime() >= this.parts.keepMs) {
      this.askedAt = now;
      await this.refresh(now);
    }
    return this.isLagKnown ? this.until : now;
  }

  private async refresh(now: Date): Promise<void> {
    const { log } = this.parts;
    try {
      await this.advance(now);
      if (!this.isLagKnown) log.info({}, 'The lag of consumer groups is known again');
      this.isLagKnown = true;
    } catch (error) {
      if (this.isLagKnown)
        log.warn(
          { error: new ErrorSummary(error) },
          'The log does not say how far its readers are: commands are sent again by the clock alone',
        );
      this.isLagKnown = false;
    }
  }

  private async advance(now: Date): Promise<void> {
    const commands = await this.events.lag('request', [TOPICS.commands.name]);
    const events = await this.events.lag('gateway', [TOPICS.requestEvents.name]);
    if (isShorter(commands, this.mark?.commands) || isShorter(events, this.mark?.events)) this.mark = undefined;
    const mark = (this.mark ??= { at: now, commands: endsOf(commands) });
    if (!mark.events && isPast(commands, mark.commands)) mark.events = endsOf(events);
    if (!mark.events || !isPast(events, mark.events)) return;
    this.until = mark.at;
    this.mark = undefined;
  }
}

import { TOPICS } from '@opendsr-service/contracts';
import type { Log, PartitionLag } from '@opendsr-service/messaging';

type Ends = ReadonlyMap<string, bigint>;

/** The ends of the log at a time: of commands, then of the events that the request service had written once it was past those. */
interface Mark {
  readonly at: Date;
  readonly commands: Ends;
  events?: Ends;
}

const nameOf = ({ topic, partition }: PartitionLag): string => `${topic} ${partition}`;
const endsOf = (lags: readonly PartitionLag[]): Ends => new Map(lags.map((one) => [nameOf(one), BigInt(one.end)]));
const isPast = (lags: readonly PartitionLag[], ends: Ends): boolean => lags.every((one) => BigInt(one.end) - BigInt(one.lag) >= (ends.get(nameOf(one)) ?? 0n));

/** Finds out from the log up to when commands are answered, so that none is repeated that still waits for its turn (D1). */
export class Answered {
  private mark: Mark | undefined;
  private until = new Date(0);

  constructor(private readonly log: Pick<Log, 'lag'>) {}

  /**
   * A time up to which every command in the log was handled, and every event that it brought was applied here. It comes forward by looks: what the log
   * holds at one look was passed at a later one. Where the log does not say how far they are, for want of a right too, it is `now`: then the clock alone decides.
   */
  async look(now: Date): Promise<Date> {
    try {
      await this.comeForward(now);
      return this.until;
    } catch {
      return now;
    }
  }

  private async comeForward(now: Date): Promise<void> {
    const commands = await this.log.lag('request', [TOPICS.commands.name]);
    const events = await this.log.lag('gateway', [TOPICS.requestEvents.name]);
    const mark = (this.mark ??= { at: now, commands: endsOf(commands) });
    if (!mark.events && isPast(commands, mark.commands)) mark.events = endsOf(events);
    if (!mark.events || !isPast(events, mark.events)) return;
    this.until = mark.at;
    this.mark = undefined;
  }
}

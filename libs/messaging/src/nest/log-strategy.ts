import { BaseRpcContext, Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { handlingOf, type BatchHandling } from '../consumption/settle-batch';
import type { Consumer, ConsumeOptions, ConsumerState, EventLog } from '../port';
import type { LogRecord, Verdict } from '../records';

interface LogStrategyOptions extends Omit<ConsumeOptions, 'topics' | 'handle'> {
  readonly log: EventLog;
  /** The symbol that this group's handlers name in `@ConsumeBatch`; one for each group. */
  readonly transport: symbol;
}

type Handler = NonNullable<ReturnType<Server['getHandlerByPattern']>>;

/**
 * Feeds one consumer group's batches to Nest controllers, through Nest's guards, pipes and interceptors:
 * `app.connectMicroservice({ strategy: new LogStrategy(…) })`. The handlers name the topics.
 */
export class LogStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId: symbol;
  /** The consumer loop handles errors of handlers (decision 6). */
  override readonly propagatesEventHandlerErrors = true;
  /** Called after each batch of which a record was not skipped. */
  onHandled: () => void = () => undefined;
  private consumer: Consumer | undefined;
  private readonly skips = new Map<string, number>();

  constructor(private readonly options: LogStrategyOptions) {
    super();
    this.transportId = options.transport;
  }

  get group(): string {
    return this.options.group;
  }

  get state(): ConsumerState {
    return this.consumer?.state ?? 'joining';
  }

  get skipped(): ReadonlyMap<string, number> {
    return this.skips;
  }

  get handling(): BatchHandling {
    return handlingOf({ ...this.options, handle: (records) => this.dispatch(records) });
  }

  lag(): ReturnType<Consumer['lag']> {
    return this.consumer?.lag() ?? Promise.resolve([]);
  }

  async listen(ready: (error?: unknown) => void): Promise<void> {
    try {
      const topics = this.topics();
      for (const topic of topics) this.skips.set(topic, 0);
      const onSkipped = (topic: string, count: number) =>
        void this.skips.set(topic, (this.skips.get(topic) ?? 0) + count);
      this.consumer = await this.options.log.consume({
        ...this.options,
        topics,
        handle: this.handling.handle,
        onSkipped,
      });
      ready();
    } catch (error) {
      ready(error);
    }
  }

  async close(): Promise<void> {
    await this.consumer?.close();
  }

  on(): never {
    throw new Error('a log strategy has no events');
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private topics(): string[] {
    const name = `${this.options.group} (${String(this.options.transport)})`;
    const handlers = [...this.messageHandlers];
    if (handlers.length === 0)
      throw new Error(`no handler for ${name}: decorate one with @ConsumeBatch and its symbol`);
    const twice = handlers.find(([, handler]) => handler.next);
    if (twice) throw new Error(`two handlers of ${name} for ${twice[0]}: a batch has one answer`);
    return handlers.map(([topic]) => topic);
  }

  private async dispatch(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const topic = records[0]?.topic ?? '';
    const handler = this.messageHandlers.get(topic) as Handler;
    const context = new BaseRpcContext([topic]);
    let hasEffect = true;
    return new Promise((resolve, reject) => {
      this.runWithProcessingHooks(context, async (end) => {
        try {
          const answer: unknown = await handler(records, context);
          const verdicts = (await lastValueFrom(this.transformToObservable(answer))) as readonly Verdict[];
          hasEffect = verdicts.some((verdict) => verdict !== 'skip');
          resolve(verdicts);
        } catch (error) {
          reject(error instanceof Error ? error : new Error('a handler threw what is no error', { cause: error }));
        } finally {
          end();
          if (hasEffect) this.onHandled();
        }
      });
    });
  }
}

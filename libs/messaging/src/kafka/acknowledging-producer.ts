import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@opendsr-service/contracts';
import type { Kafka, Message } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { ErrorSummary } from '../error-summary';
import { PublishRefused, PublishTimeout } from '../errors';
import type { MessagingLogger } from '../port';
import { neverAccepted, sequenceLost } from './faults';
import { ProducerSession } from './producer-session';

/** A send takes 15 s at worst, when a broker hangs: after twice that the producer is stuck. */
const stuckAfterMs = 30_000;
const lastWordsMs = 5_000;

class Stuck extends Error {
  override readonly name = 'Stuck';
}

/** Repeats a batch until it is acknowledged, and replaces a failed producer. */
export class AcknowledgingProducer {
  private session: Promise<ProducerSession> | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly newClient: () => Kafka,
    private readonly logger: MessagingLogger,
  ) {}

  /**
   * Resolves when acknowledged. Rejects with PublishRefused where the broker never accepts the batch or the log closed
   * before the first attempt; with PublishTimeout where it closed later.
   */
  async send(topic: string, partition: number, messages: Message[]): Promise<void> {
    const backoff = new Backoff(50, 500);
    for (let attempts = 0; ; attempts++) {
      const session = await this.current();
      if (!session)
        throw attempts > 0
          ? new PublishTimeout('the log was closed')
          : new PublishRefused('closed', 'the log is closed');
      try {
        await this.attempt(session, topic, partition, messages);
        return;
      } catch (error) {
        if (neverAccepted(error))
          throw new PublishRefused('rejected', 'the broker rejects the records', { cause: error });
        this.logger.warn(
          { topic, partition, records: messages.length, error: new ErrorSummary(error) },
          'send failed, sending the same again',
        );
        await this.backOff(backoff);
      }
    }
  }

  /** Resolves once a broker has given the producer its id, or the producer is closed. */
  async connect(): Promise<void> {
    await this.current();
  }

  async close(): Promise<void> {
    this.closing.abort();
    const gone = this.session?.then((session) => session.retire(0)).catch(() => undefined);
    if (gone) await withDeadline(gone, lastWordsMs, () => undefined);
  }

  private async attempt(
    session: ProducerSession,
    topic: string,
    partition: number,
    messages: Message[],
  ): Promise<void> {
    const sending = session.send(topic, partition, messages);
    try {
      await withDeadline(sending, stuckAfterMs, () => {
        throw new Stuck('no answer');
      });
    } catch (error) {
      const stuck = error instanceof Stuck;
      if (stuck || sequenceLost(error)) this.renew(session, stuck);
      // The old producer must end first, or its batch could arrive after the next one.
      if (stuck) await withDeadline(sending, lastWordsMs, () => undefined).catch(() => undefined);
      throw error;
    }
  }

  /** The current producer, connected; undefined once closed. */
  private async current(): Promise<ProducerSession | undefined> {
    const backoff = new Backoff(100, 1_000);
    while (!this.closing.signal.aborted) {
      const starting = (this.session ??= ProducerSession.start(this.newClient()));
      try {
        return await starting;
      } catch (error) {
        if (this.session === starting) this.session = undefined;
        this.logger.warn({ error: new ErrorSummary(error) }, 'no producer yet');
        await this.backOff(backoff);
      }
    }
    return undefined;
  }

  private renew(session: ProducerSession, stuck: boolean): void {
    const current = this.session;
    const replace = (running: ProducerSession): void => {
      if (running !== session || this.session !== current) return;
      this.logger.warn({ stuck }, 'producer renewed');
      this.session = undefined;
      void session.retire(stuck ? 0 : undefined);
    };
    // A newer session that never starts needs no renewal.
    void current?.then(replace, () => undefined);
  }

  private async backOff(backoff: Backoff): Promise<void> {
    await delay(backoff.next(), undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

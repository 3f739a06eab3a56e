import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger/logger';

type Done = Parameters<SpanExporter['export']>[1];

const AGAIN_AFTER_MS = 600_000;

/** Exports spans; logs when export fails and recovers, without the address, which may hold a password. */
export class LoggingExporter implements SpanExporter {
  private loggedAt: number | undefined;
  private lost = 0;

  constructor(
    private readonly inner: SpanExporter,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.inner.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.exportSucceeded();
      else {
        this.lost += spans.length;
        this.exportFailed(result.error);
      }
      done(result);
    });
  }

  exportFailed(error: unknown): void {
    if (this.loggedAt !== undefined && this.nowMs() - this.loggedAt < AGAIN_AFTER_MS) return;
    this.loggedAt = this.nowMs();
    this.log.warn({ count: this.lost, error }, 'Traces cannot be exported');
    this.lost = 0;
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush?.() ?? Promise.resolve();
  }

  private exportSucceeded(): void {
    if (this.loggedAt === undefined) return;
    this.loggedAt = undefined;
    this.log.info({ count: this.lost }, 'Traces are exported again');
    this.lost = 0;
  }
}

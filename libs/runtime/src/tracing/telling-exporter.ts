import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log/log';

type Done = Parameters<SpanExporter['export']>[1];

/** How long a collector may be away before that is said again. */
const AGAIN_AFTER_MS = 600_000;

/** Exports spans, and says when that begins to fail and when it works again; in between now and then. Where they go is not said, for an address may hold a password. */
export class TellingExporter implements SpanExporter {
  private toldAt: number | undefined;
  private lost = 0;

  constructor(
    private readonly inner: SpanExporter,
    private readonly log: Pick<Log, 'warn' | 'info'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.inner.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.worked();
      else {
        this.lost += spans.length;
        this.failed(result.error);
      }
      done(result);
    });
  }

  /** Whatever else went wrong with the export. */
  failed(error: unknown): void {
    if (this.toldAt !== undefined && this.nowMs() - this.toldAt < AGAIN_AFTER_MS) return;
    this.toldAt = this.nowMs();
    this.log.warn({ count: this.lost, error }, 'Traces cannot be exported');
    this.lost = 0;
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush?.() ?? Promise.resolve();
  }

  private worked(): void {
    if (this.toldAt === undefined) return;
    this.toldAt = undefined;
    this.log.info({ count: this.lost }, 'Traces are exported again');
    this.lost = 0;
  }
}

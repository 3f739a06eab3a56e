import { context, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';

/** Does the work in a span, which names the class of its error where it fails. */
export const inSpan = <T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
  parent = context.active(),
): Promise<T> =>
  trace.getTracer('opendsr').startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span
        .setAttribute('error.type', error instanceof Error ? error.name : 'Error')
        .setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });

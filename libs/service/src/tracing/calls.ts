import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** An HTTP call as traces name it, without variable parts of the address. */
interface TracedCall<T> {
  readonly method: string;
  /** The path template, or another name of the target. */
  readonly route: string;
  readonly statusOf: (answer: T) => number | undefined;
}

const isFailure = (status: number | undefined): boolean => status === undefined || status >= 400;

function end(span: Span, status: number | undefined, errorType: string): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (isFailure(status)) span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Makes an outgoing call as a span that ends with the head of the response. Sends no trace header. */
export async function tracedCall<T>({ method, route, statusOf }: TracedCall<T>, send: () => Promise<T>): Promise<T> {
  return trace
    .getTracer('opendsr')
    .startActiveSpan(
      `${method} ${route}`,
      { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method } },
      async (span) => {
        try {
          const answer = await send();
          const status = statusOf(answer);
          end(span, status, status === undefined ? 'unanswered' : String(status));
          return answer;
        } catch (error) {
          end(span, undefined, error instanceof Error ? error.name : 'Error');
          throw error;
        }
      },
    );
}

/** The same for a call to another of our services: `send` gets the headers that continue the trace. */
export const tracedInternalCall = <T extends { readonly status: number }>(
  method: string,
  route: string,
  send: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> =>
  tracedCall({ method, route, statusOf: ({ status }) => status }, () => {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    return send(headers);
  });

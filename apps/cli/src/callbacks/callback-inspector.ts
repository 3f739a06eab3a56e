import type { IncomingHttpHeaders } from 'node:http';
import type { ValidVerdict, Verifier } from '@opendsr-service/client';
import { onOneLine } from '../on-one-line';
import { checkLines, line, callbackLines } from './callback-lines';
import { Deliveries, type Earlier } from './deliveries';
import type { Arrived, Forwarded } from './forward.client';

/** A request at the listener; `body` is undefined if it was too large. */
export interface Incoming extends Omit<Arrived, 'body'> {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
}

export interface InspectorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface InspectorOptions {
  readonly verifier: Verifier;
  /** Forwards a verified callback; undefined: no target. */
  readonly forward: { readonly to: string; readonly post: (arrived: Arrived) => Promise<Forwarded> } | undefined;
  readonly now: () => Date;
  readonly show: (lines: readonly string[]) => void;
}

interface InspectedCallback {
  readonly answer: InspectorAnswer;
  readonly lines: readonly string[];
}

/** Verifies, forwards, shows and answers callbacks (protocol, "Callback authenticity"). */
export class CallbackInspector {
  private readonly deliveries = new Deliveries();
  private readonly counted = { verified: 0, refused: 0 };

  constructor(private readonly options: InspectorOptions) {}

  /** The numbers of verified callbacks and of refused requests. */
  get counts(): Readonly<{ verified: number; refused: number }> {
    return this.counted;
  }

  async handle(incoming: Incoming): Promise<InspectorAnswer> {
    const at = this.options.now();
    const { answer, lines } = await this.verify(incoming, at);
    this.options.show([
      `${at.toISOString()}  ${incoming.method} ${onOneLine(incoming.path)}`,
      ...lines,
      line('answered', String(answer.status)),
    ]);
    return answer;
  }

  private async verify({ method, headers, rawHeaders, body }: Incoming, at: Date): Promise<InspectedCallback> {
    if (method !== 'POST') return this.refuse({ status: 405, headers: { allow: 'POST' } }, ['callbacks use POST']);
    if (!body) return this.refuse({ status: 413 }, ['the body is too large for a callback']);
    const verdict = await this.options.verifier.verify(body, headers);
    if (!verdict.valid)
      return this.refuse({ status: 401 }, [
        line('delivery', `${one(headers['x-delivery-id'])}, not believed`),
        ...checkLines(verdict.checks),
      ]);
    return this.forwardCallback(verdict, { rawHeaders, body }, at);
  }

  private refuse(answer: InspectorAnswer, lines: readonly string[]): InspectedCallback {
    this.counted.refused++;
    return { answer, lines };
  }

  private async forwardCallback(verdict: ValidVerdict, arrived: Arrived, at: Date): Promise<InspectedCallback> {
    this.counted.verified++;
    const { deliveryId } = verdict;
    const earlier = this.deliveries.earlier(deliveryId);
    const { answer, lines } = await this.forwarded(arrived);
    this.deliveries.remember(deliveryId, { at, answered: answer.status });
    return {
      answer,
      lines: [
        line('delivery', `${deliveryId ?? 'without an id'}, ${repeatOf(earlier)}`),
        ...callbackLines(verdict),
        ...checkLines(verdict.checks),
        ...lines,
      ],
    };
  }

  private async forwarded(arrived: Arrived): Promise<InspectedCallback> {
    const { forward } = this.options;
    if (!forward) return { answer: { status: 202 }, lines: [] };
    const said = await forward.post(arrived);
    return {
      answer: answerTo(said),
      lines: [
        line(
          'forwarded',
          `${forward.to} ${said.kind === 'answered' ? `answered ${said.status}` : `did not answer: ${said.reason}`}`,
        ),
      ],
    };
  }
}

const one = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : 'without an id');

const repeatOf = (earlier: Earlier | undefined): string =>
  earlier ? `a repeat: it came at ${earlier.at.toISOString()} and was answered ${earlier.answered}` : 'new';

/**
 * A callback that the target did not take gets an answer that causes another attempt. This includes 410, which would
 * end all callbacks to this URL.
 */
function answerTo(said: Forwarded): InspectorAnswer {
  if (said.kind === 'failed') return { status: 502 };
  if (said.status >= 200 && said.status <= 299) return { status: 202 };
  return { status: 502, ...(said.retryAfter !== undefined && { headers: { 'retry-after': said.retryAfter } }) };
}

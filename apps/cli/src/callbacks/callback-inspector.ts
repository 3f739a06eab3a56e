import type { IncomingHttpHeaders } from 'node:http';
import type { ValidVerdict, Verifier } from '@opendsr-service/client';
import { onOneLine } from '../on-one-line';
import { checkLines, line, saidLines } from './callback-lines';
import { Deliveries, type Earlier } from './deliveries';
import type { Arrived, Forwarded } from './forward.client';

/** A request as it arrived at the listener; `body` is undefined where it was too large to be read. */
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
  /** Hands a verified callback on; undefined: nobody is there to take it. */
  readonly forward: { readonly to: string; readonly post: (arrived: Arrived) => Promise<Forwarded> } | undefined;
  readonly now: () => Date;
  /** Shows the block of one request. */
  readonly show: (lines: readonly string[]) => void;
}

interface InspectedCallback {
  readonly answer: InspectorAnswer;
  readonly lines: readonly string[];
}

/** Takes callbacks one by one: verifies, hands on, says what it saw, and answers as the interface wants ("Callback authenticity"). */
export class CallbackInspector {
  private readonly deliveries = new Deliveries();
  private readonly counted = { verified: 0, refused: 0 };

  constructor(private readonly options: InspectorOptions) {}

  /** How many callbacks were verified, and how many requests were none that are believed. */
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
    if (method !== 'POST')
      return this.refuse({ status: 405, headers: { allow: 'POST' } }, ['callbacks come with POST']);
    if (!body) return this.refuse({ status: 413 }, ['no callback is so large']);
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
        ...saidLines(verdict),
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
 * Whatever the target did not take is answered so that it is tried again: 410 too, which would end all further
 * callbacks of the request.
 */
function answerTo(said: Forwarded): InspectorAnswer {
  if (said.kind === 'failed') return { status: 502 };
  if (said.status >= 200 && said.status <= 299) return { status: 202 };
  return { status: 502, ...(said.retryAfter !== undefined && { headers: { 'retry-after': said.retryAfter } }) };
}

import { tracedCall } from '@opendsr-service/service';

const WITHIN_MS = 10_000;
/** A few lines of signatures. */
const MOST_BYTES = 16_384;

/** `size`: what a witness that has cosigned another checkpoint last says of that one. */
export type WitnessAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'conflict'; readonly size: number | undefined }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'away' };

/** Offers checkpoints to one witness (C2SP tlog-witness). */
export class WitnessClient {
  /** `url`: the submission prefix, from the operator's configuration. */
  constructor(
    private readonly url: string,
    private readonly withinMs = WITHIN_MS,
  ) {}

  /** For log lines. */
  get host(): string {
    return new URL(this.url).host;
  }

  /** When an offer that begins now is given up, its repetition included. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(this.withinMs);
  }

  async offer(body: string, signal: AbortSignal): Promise<WitnessAnswer> {
    try {
      const answer = await tracedCall({ method: 'POST', route: 'witness', statusOf: ({ status }) => status }, () =>
        fetch(`${this.url}/add-checkpoint`, { method: 'POST', body, signal, redirect: 'error' }),
      );
      const text = await beginOf(answer);
      if (answer.status === 200) return { kind: 'answered', text };
      if (answer.status === 409) return { kind: 'conflict', size: sizeIn(answer, text) };
      return { kind: 'refused', status: answer.status };
    } catch {
      return { kind: 'away' };
    }
  }
}

async function beginOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop drops the rest.
  for await (const part of body ?? []) {
    parts.push(part as Uint8Array);
    bytes += (part as Uint8Array).length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MOST_BYTES).toString('utf8');
}

function sizeIn({ headers }: Response, text: string): number | undefined {
  const isSize = headers.get('content-type') === 'text/x.tlog.size' && /^(0|[1-9]\d{0,15})\n$/.test(text);
  return isSize && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

import type { Service } from '../e2e/service';
import type { Body } from './routes';

const MS = 1_000;
const ASKED_TIMES = 20;
const USED = /^process_cpu_(?:user|system)_seconds_total (\S+)$/gm;

/** A body with the CPU that its call took. */
export interface Measured {
  readonly body: Body;
  readonly bytes: number;
  readonly status: number;
  readonly cpuMs: number;
}

const piecesOf = (text: string, bytes: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(text.length / bytes) }, (_, n) => Buffer.from(text.slice(n * bytes, (n + 1) * bytes)));

/** The measurement with less CPU. */
export const lesser = (one: Measured, other: Measured): Measured => (other.cpuMs < one.cpuMs ? other : one);

/** Measures the CPU that a running service uses to answer a call. */
export class Meter {
  private readonly authorization: string;
  private readonly adminUrl: string;
  private ownMs?: number;

  constructor(private readonly service: Service) {
    this.authorization = `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}`;
    this.adminUrl = service.parts()[0]?.adminUrl ?? '';
  }

  /** The call with the least CPU, without the CPU of the measurement itself. */
  async leastOf(body: Body, times: number): Promise<Measured> {
    this.ownMs ??= await this.leastOfAsking();
    const calls: Measured[] = [];
    for (let n = 0; n < times; n += 1) calls.push(await this.once(body));
    return calls.reduce(lesser);
  }

  /** The answer to a call, without a measurement. */
  async send({ route, text, chunkBytes }: Pick<Body, 'route' | 'text' | 'chunkBytes'>): Promise<Response> {
    const url = (route.isInternal ? this.adminUrl : this.service.ingestUrl) + route.path;
    return fetch(url, {
      method: route.method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      body: chunkBytes === undefined ? text() : ReadableStream.from(piecesOf(text(), chunkBytes)),
      duplex: 'half',
    });
  }

  private async once(body: Body): Promise<Measured> {
    const text = body.text();
    const before = await this.used();
    const answer = await this.send({ ...body, text: () => text });
    await answer.arrayBuffer();
    const after = await this.used();
    return {
      body,
      bytes: Buffer.byteLength(text),
      status: answer.status,
      cpuMs: Math.max(0, after - before - (this.ownMs ?? 0)),
    };
  }

  private async leastOfAsking(): Promise<number> {
    let least = Infinity;
    for (let n = 0, before = await this.used(); n < ASKED_TIMES; n += 1) {
      const after = await this.used();
      [least, before] = [Math.min(least, after - before), after];
    }
    return least;
  }

  private async used(): Promise<number> {
    const text = await (await fetch(`${this.adminUrl}/metrics`)).text();
    return [...text.matchAll(USED)].reduce((sum, [, seconds]) => sum + Number(seconds), 0) * MS;
  }
}

import { request as plainRequest } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults';

type Headers = Readonly<Record<string, string>>;

const GAP_MS = 5;

/** Sends callbacks, to each URL in the order of the changes, again until they are taken. */
export class FakeCallbacks {
  private readonly destinations = new Map<string, Promise<void>>();
  private ended = false;

  constructor(
    private readonly authorityPem: string,
    private readonly is: (fault: Fault) => boolean,
  ) {}

  /** `destination` keeps the order: one for each request and URL. */
  queue(destination: string, url: string, message: { body: Buffer; headers: Headers }): void {
    const before = this.destinations.get(destination) ?? Promise.resolve();
    const times = this.is('callbacks sent twice') ? 2 : 1;
    this.destinations.set(
      destination,
      before.then(async () => {
        for (let sent = 0; sent < times; sent++) await this.deliver(url, message);
      }),
    );
  }

  end(): void {
    this.ended = true;
  }

  private async deliver(url: string, message: { body: Buffer; headers: Headers }): Promise<void> {
    while (!this.ended) {
      const { status, location } = await this.post(url, message).catch(() => ({ status: 0, location: undefined }));
      if (this.is('callbacks follow redirects') && location !== undefined) await this.post(location, message);
      if ((status >= 200 && status < 300) || this.is('callbacks not sent again')) return;
      await sleep(GAP_MS);
    }
  }

  private async post(
    url: string,
    { body, headers }: { body: Buffer; headers: Headers },
  ): Promise<{ status: number; location?: string }> {
    const sent = (url.startsWith('https:') ? request : plainRequest)(url, {
      method: this.is('callbacks are PUTs') ? 'PUT' : 'POST',
      ca: this.authorityPem,
      agent: false,
      headers: { 'content-type': this.is('callbacks are text') ? 'text/plain' : 'application/json', ...headers },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return { status: answer.statusCode ?? 0, location: answer.headers.location };
  }
}

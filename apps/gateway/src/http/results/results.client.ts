import { Readable } from 'node:stream';
import { serviceCredentials, unavailable, type ServiceTokens } from '@opendsr-service/edge';
import { tracedInternalCall } from '@opendsr-service/service';
import type { ResultsAnswer, ResultsSource } from './results-source';

const RETRY_AFTER_SECONDS = 5;
/** For the results service to begin an answer. */
const ANSWER_WITHIN_MS = 15_000;

export class ResultsClient implements ResultsSource {
  constructor(
    private readonly baseUrl: string,
    private readonly serviceTokens: ServiceTokens,
  ) {}

  /** Throws a 503 ApiError while the results service is unreachable. */
  async open(token: string): Promise<ResultsAnswer> {
    const answer = await this.fetch(token);
    if (answer.status === 200 && answer.body) {
      return {
        status: 200,
        stream: Readable.fromWeb(answer.body),
        bytes: Number(answer.headers.get('content-length')),
      };
    }
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410) return { status: answer.status };
    throw unavailable(RETRY_AFTER_SECONDS);
  }

  private async fetch(token: string): Promise<Response> {
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort();
    }, ANSWER_WITHIN_MS);
    try {
      // A process that stops may close a kept connection just when it is used; another one answers then.
      return await this.ask(token, deadline.signal).catch(() => this.ask(token, deadline.signal));
    } catch {
      throw unavailable(RETRY_AFTER_SECONDS);
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(token: string, signal: AbortSignal): Promise<Response> {
    const url = `${this.baseUrl}/internal/results/${encodeURIComponent(token)}`;
    const credentials = await serviceCredentials(this.serviceTokens);
    return tracedInternalCall('GET', '/internal/results/:token', (headers) =>
      fetch(url, { headers: { ...headers, ...credentials }, signal, redirect: 'error' }),
    );
  }
}

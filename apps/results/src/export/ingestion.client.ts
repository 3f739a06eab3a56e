import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ExportItem } from '@opendsr-service/contracts';
import { serviceCredentials, type ServiceTokens } from '@opendsr-service/edge';
import { tracedInternalCall } from '@opendsr-service/service';
import { itemOf, linesOf } from './export-lines';
import { BrokenExport, type ExportOrder, type ExportSource } from './export-source';

/** How long ingestion may send nothing. */
const SILENT_MS = 300_000;

interface Answer {
  readonly status: number;
  readonly body: IncomingMessage;
}

export class IngestionClient implements ExportSource {
  constructor(
    private readonly baseUrl: string,
    private readonly serviceTokens: ServiceTokens,
    private readonly silentMs = SILENT_MS,
  ) {}

  async *read(order: ExportOrder): AsyncGenerator<ExportItem, void, undefined> {
    const { ws, srid, kid, identities } = order;
    const credentials = await serviceCredentials(this.serviceTokens);
    const { status, body } = await tracedInternalCall('POST', '/internal/exports', (headers) =>
      this.post({ ...headers, ...credentials }, JSON.stringify({ ws, srid, kid, identities })),
    );
    if (status !== 200) {
      body.destroy();
      throw new BrokenExport(`ingestion answered ${status}`);
    }
    for await (const lines of linesOf(body)) {
      for (const line of lines) yield itemOf(line);
    }
  }

  /** Most exports are two lines: `fetch` would take more than twice the processor time. It follows no redirect. */
  private post(headers: Readonly<Record<string, string>>, text: string): Promise<Answer> {
    const url = `${this.baseUrl}/internal/exports`;
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const call = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        timeout: this.silentMs,
      });
      call.on('response', (body) => resolve({ status: body.statusCode ?? 0, body }));
      call.on('timeout', () => call.destroy(new BrokenExport('ingestion sends nothing')));
      call.on('error', reject);
      call.end(text);
    });
  }
}

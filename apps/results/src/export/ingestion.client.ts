import { serviceCredentials, type ServiceTokens } from '@opendsr-service/edge';
import { tracedInternalCall } from '@opendsr-service/service';
import { itemOf, linesOf } from './export-lines';
import { BrokenExport, type ExportItem, type ExportOrder, type ExportSource } from './export-source';

export class IngestionClient implements ExportSource {
  constructor(
    private readonly baseUrl: string,
    private readonly serviceTokens: ServiceTokens,
  ) {}

  async *read(order: ExportOrder): AsyncGenerator<ExportItem, void, undefined> {
    const { ws, srid, kid, identities } = order;
    const credentials = await serviceCredentials(this.serviceTokens);
    const answer = await tracedInternalCall('POST', '/internal/exports', (headers) =>
      fetch(`${this.baseUrl}/internal/exports`, {
        method: 'POST',
        headers: { ...headers, ...credentials, 'content-type': 'application/json' },
        body: JSON.stringify({ ws, srid, kid, identities }),
        redirect: 'error',
      }),
    );
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      throw new BrokenExport(`ingestion answered ${answer.status}`);
    }
    for await (const lines of linesOf(answer.body)) {
      for (const line of lines) yield itemOf(line);
    }
  }
}

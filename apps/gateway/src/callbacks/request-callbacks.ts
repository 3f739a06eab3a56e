import { controllerRequestId } from '@opendsr-service/contracts';
import { gone, invalidOperation, notFound, unavailable } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../admission/request.document';
import type { AdmissionsStore } from '../admission/admissions.store';
import { openCallbackUrls } from '../admission/sealing';
import type { LedgerStore } from './ledger.store';
import type { LedgerEntry } from './ledger-entry';
import type { CallbackReplays } from './replays.client';

const RETRY_AFTER_SECONDS = 1;

/** `url` is null once its key is destroyed. */
export interface CallbackView {
  readonly entry: LedgerEntry;
  readonly url: string | null;
}

interface RequestCallbacksParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly ledger: LedgerStore;
  readonly vault: Vault;
  readonly replays: CallbackReplays;
}

/** The callbacks of requests, as their workspace sees them. */
export class RequestCallbacks {
  constructor(private readonly parts: RequestCallbacksParts) {}

  async list(ws: string, srid: string): Promise<{ readonly id: string; readonly callbacks: readonly CallbackView[] }> {
    const request = await this.findRequest(ws, srid);
    const [entries, urls] = await Promise.all([
      this.parts.ledger.listByRequest(ws, srid),
      openCallbackUrls(this.parts.vault, request),
    ]);
    return {
      id: controllerRequestId(request),
      callbacks: entries.map((entry) => ({ entry, url: urls?.get(entry.destination) ?? null })),
    };
  }

  /** Resolves with the callback as it was, once the log has acknowledged the command. */
  async replay(ws: string, srid: string, delivery: string): Promise<CallbackView> {
    const request = await this.findRequest(ws, srid);
    const entry = await this.parts.ledger.findByDelivery(ws, srid, delivery);
    if (!entry) throw notFound();
    const url = (await openCallbackUrls(this.parts.vault, request))?.get(entry.destination);
    if (url === undefined) throw gone('The key of this address is destroyed: nothing can be sent to it any more.');
    if (entry.standing.state === 'waiting') throw invalidOperation('The callback still waits to be sent.');
    if (!(await this.parts.replays.request(entry))) throw unavailable(RETRY_AFTER_SECONDS);
    return { entry, url };
  }

  private async findRequest(ws: string, srid: string): Promise<RequestDocument> {
    const request = await this.parts.requests.find(ws, srid);
    if (!request) throw notFound();
    return request;
  }
}

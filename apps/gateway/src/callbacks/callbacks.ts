import { controllerRequestId } from '@opendsr-service/contracts';
import { gone, invalidOperation, notFound, unavailable } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../requests/request.document';
import type { RequestsStore } from '../requests/requests.store';
import { openCallbackUrls } from '../requests/sealing';
import type { CallbacksStore } from './callbacks.store';
import type { LedgerEntry } from './ledger-entry';
import type { Replays } from './replays.client';

const RETRY_AFTER_SECONDS = 1;

/** A callback, and the URL that it goes to while the key of that lives. */
export interface ToldCallback {
  readonly entry: LedgerEntry;
  readonly url: string | null;
}

export interface CallbacksParts {
  readonly requests: Pick<RequestsStore, 'find'>;
  readonly ledger: CallbacksStore;
  readonly vault: Vault;
  readonly replays: Replays;
}

/** What a controller may see of the callbacks of its requests, and have sent again. What is another's is as unknown as what nobody has. */
export class Callbacks {
  constructor(private readonly parts: CallbacksParts) {}

  /** The callbacks of a request of a workspace, and the id by which its controller knows it. */
  async of(ws: string, srid: string): Promise<{ readonly id: string; readonly callbacks: readonly ToldCallback[] }> {
    const request = await this.requestOf(ws, srid);
    const [entries, urls] = await Promise.all([
      this.parts.ledger.ofRequest(ws, srid),
      openCallbackUrls(this.parts.vault, request),
    ]);
    return {
      id: controllerRequestId(request),
      callbacks: entries.map((entry) => ({ entry, url: urls?.get(entry.destination) ?? null })),
    };
  }

  /** Asks for a callback to be sent again, and answers it as it stood before. It is asked for once the log has acknowledged it. */
  async replay(ws: string, srid: string, delivery: string): Promise<ToldCallback> {
    const request = await this.requestOf(ws, srid);
    const entry = await this.parts.ledger.find(ws, srid, delivery);
    if (!entry) throw notFound();
    const url = (await openCallbackUrls(this.parts.vault, request))?.get(entry.destination);
    if (url === undefined) throw gone('The key of this address is destroyed: nothing can be sent to it any more.');
    if (entry.standing.state === 'waiting') throw invalidOperation('The callback still waits to be sent.');
    if (!(await this.parts.replays.ask(entry))) throw unavailable(RETRY_AFTER_SECONDS);
    return { entry, url };
  }

  private async requestOf(ws: string, srid: string): Promise<RequestDocument> {
    const request = await this.parts.requests.find(ws, srid);
    if (!request) throw notFound();
    return request;
  }
}

import { commands, controllerRequestId, messageId, TOPICS, type ReplayCallback } from '@opendsr-service/contracts';
import { gone, invalidOperation, notFound } from '@opendsr-service/edge';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../admission/request.document';
import type { AdmissionsStore } from '../admission/admissions.store';
import { publishAcknowledged } from '../admission/publish-acknowledged';
import { openCallbackUrls } from '../admission/sealing';
import type { LedgerStore } from './ledger.store';
import type { LedgerEntry } from './ledger-entry';

/** `url` is null once its key is destroyed. */
export interface CallbackView {
  readonly entry: LedgerEntry;
  readonly url: string | null;
}

interface RequestCallbacksParts {
  readonly requests: Pick<AdmissionsStore, 'find'>;
  readonly ledger: LedgerStore;
  readonly vault: Vault;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly clock: Clock;
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

  /**
   * Resolves with the callback as it was, once the log has acknowledged the command. One that it did not acknowledge in time
   * may still arrive; a repeat has the same id.
   */
  async replay(ws: string, srid: string, delivery: string): Promise<CallbackView> {
    const request = await this.findRequest(ws, srid);
    const entry = await this.parts.ledger.findByDelivery(ws, srid, delivery);
    if (!entry) throw notFound();
    const url = (await openCallbackUrls(this.parts.vault, request))?.get(entry.destination);
    if (url === undefined) throw gone('The key of this address is destroyed: nothing can be sent to it any more.');
    if (entry.standing.state === 'waiting') throw invalidOperation('The callback still waits to be sent.');
    const command = replayOf(entry, this.parts.clock.now());
    await publishAcknowledged(this.parts.publisher, TOPICS.commands.name, commands.encode(command));
    return { entry, url };
  }

  private async findRequest(ws: string, srid: string): Promise<RequestDocument> {
    const request = await this.parts.requests.find(ws, srid);
    if (!request) throw notFound();
    return request;
  }
}

/** One id for each queueing, dated later than that queueing whatever the clock shows. */
function replayOf({ ws, srid, destination, delivery, version, queuedAt }: LedgerEntry, now: Date): ReplayCallback {
  const queuedMs = queuedAt?.getTime() ?? 0;
  const at = new Date(Math.max(now.getTime(), queuedMs + 1)).toISOString();
  return {
    type: 'ReplayCallback',
    id: messageId(delivery, 'replay', queuedMs),
    ws,
    srid,
    at,
    destination,
    delivery,
    version,
  };
}

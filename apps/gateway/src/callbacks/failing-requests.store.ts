import { requestKey } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import { requestsCollection } from '../admission/requests-collection.store';
import type { RequestDocument } from '../admission/request.document';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';
import type { LedgerStore } from './ledger.store';

type Request = Pick<CallbackEvent, 'ws' | 'srid'>;

/** Marks the requests that have a failing callback, for the lists of operators. */
export class FailingRequests {
  private readonly requests: Collection<RequestDocument>;

  constructor(
    connection: Connection,
    private readonly ledger: Pick<LedgerStore, 'listByRequest'>,
  ) {
    this.requests = requestsCollection(connection);
  }

  /** Marks by what the ledger has, so repeats change nothing. Call it once the ledger has the events. */
  async note(events: readonly CallbackEvent[]): Promise<void> {
    const requests = new Map<string, Request>();
    for (const event of events) if (mayChange(event)) requests.set(requestKey(event.ws, event.srid), event);
    if (requests.size === 0) return;
    const writes = await Promise.all([...requests.values()].map((request) => this.write(request)));
    await this.requests.bulkWrite(writes, { ordered: false });
  }

  private async write({ ws, srid }: Request) {
    const isFailing = (await this.ledger.listByRequest(ws, srid)).some(fails);
    const of = { _id: requestKey(ws, srid), ws };
    return isFailing
      ? {
          updateOne: {
            filter: { ...of, callbacksFailing: { $exists: false }, keyGoneAt: { $exists: false } },
            update: { $set: { callbacksFailing: true as const } },
          },
        }
      : {
          updateOne: {
            filter: { ...of, callbacksFailing: true as const },
            update: { $unset: { callbacksFailing: 1 as const } },
          },
        };
  }
}

/** A callback that is delivered at once changes no mark, and costs nothing here. */
const mayChange = (event: CallbackEvent): boolean =>
  event.type === 'CallbackGivenUp' ||
  (event.type === 'CallbackAttempted' && (event.outcome !== 'delivered' || event.attempt > 1));

/** Its last attempt failed, and it could be delivered yet: by itself, or by a replay. */
function fails({ standing, attempts }: LedgerEntry): boolean {
  if (standing.state === 'given_up') return standing.reason !== 'key-destroyed';
  const last = attempts.at(-1);
  return standing.state === 'waiting' && last !== undefined && last.outcome !== 'delivered';
}

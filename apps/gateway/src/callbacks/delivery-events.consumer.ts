import { Controller, Inject } from '@nestjs/common';
import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CHANGE_LISTENER, type ChangeListener } from '../admission/transition-listeners';
import { RequestKeysStore } from '../keys/request-keys.store';
import { GATEWAY_GROUP } from '../request-events/consumer-group';
import type { FailingRequests } from './failing-requests.store';
import { LedgerStore } from './ledger.store';
import type { CallbackEvent } from './ledger-entry';

/** Injection token: the marks that follow the callbacks that were applied. */
export const FAILING_REQUESTS = Symbol('marks of requests with failing callbacks');

/** Applies delivery events to the ledger, and settled destinations to the admissions. */
@Controller()
export class DeliveryEventsConsumer {
  constructor(
    @Inject(RequestKeysStore) private readonly keys: RequestKeysStore,
    @Inject(LedgerStore) private readonly ledger: LedgerStore,
    @Inject(CHANGE_LISTENER) private readonly changes: ChangeListener,
    @Inject(FAILING_REQUESTS) private readonly failing: Pick<FailingRequests, 'note'>,
  ) {}

  @ConsumeBatch(TOPICS.deliveryEvents.name, GATEWAY_GROUP)
  async handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    const ofCallbacks = new Map<LogRecord, CallbackEvent>();
    const verdicts = await eachInOrder(records, async (record) => {
      const event = deliveryEvents.decode(record);
      if (event.type === 'DestinationSettled') return (await this.keys.settleDestination(event)) ? 'done' : 'skip';
      ofCallbacks.set(record, event);
      return 'done';
    });
    // Parked records are known only now.
    const changed = await this.ledger.applyEvents([...ofCallbacks.values()]);
    await this.failing.note([...ofCallbacks.values()]);
    for (const event of changed) this.changes.note(event);
    return records.map((record, at) => {
      const event = ofCallbacks.get(record);
      return !event || changed.has(event) ? (verdicts[at] as Verdict) : 'skip';
    });
  }
}

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { accepted, type Answering, type ReceiverAnswer } from '../receiver/receiver';
import { callbackFaults } from '../receiver/verification';
import type { StatusRecord } from './controller';
import type { World } from './world';

/** The body of a status callback (protocol, "Callback body"). */
export interface CallbackBody extends Omit<StatusRecord, 'group_id'> {
  readonly status_callback_url: string;
}

interface SeenCallback {
  readonly body: CallbackBody;
  readonly deliveryId: string;
  /** Its faults, in words. */
  readonly faults: readonly string[];
  /** Whether GET had already shown this status, or a later one, when the callback arrived. */
  readonly shown: boolean;
}

export interface CallbackWatch {
  readonly path: string;
  readonly url: string;
  /** What arrived, in this order, each checked at its arrival. */
  readonly seen: readonly SeenCallback[];
  /** The same without repeats: a try whose answer came too late is sent again, the same bytes under the same id. */
  withoutRepeats(): SeenCallback[];
  /** The statuses that arrived, repeats left away. */
  statuses(): string[];
}

const order = ['pending', 'in_progress', 'completed', 'cancelled'];

/** Checks every callback to a new address as a receiver does, and against what the service shows at that moment. */
export function watchCallbacks(
  { receiver, controller, service, planted }: World,
  answer: Answering = () => accepted,
): CallbackWatch {
  const path = `/${planted.text}/${randomUUID()}`;
  const url = receiver.url(path);
  const seen: SeenCallback[] = [];
  receiver.answer(path, async (callback, earlier): Promise<ReceiverAnswer> => {
    const body = JSON.parse(callback.body.toString()) as CallbackBody;
    const { request_status: shown } = await controller.status(body.subject_request_id);
    const faults = await callbackFaults(callback, url, service.trust);
    seen.push({
      body,
      deliveryId: String(callback.headers['x-delivery-id']),
      faults,
      shown: order.indexOf(shown) >= order.indexOf(body.request_status),
    });
    return faults.length > 0 ? { status: 401 } : answer(callback, earlier);
  });
  const withoutRepeats = () =>
    seen.filter(
      ({ body, deliveryId }, n) =>
        seen.findIndex((one) => one.deliveryId === deliveryId && isDeepStrictEqual(one.body, body)) === n,
    );
  const statuses = () => [...new Set(seen.map(({ body }) => body.request_status))];
  return { path, url, seen, withoutRepeats, statuses };
}

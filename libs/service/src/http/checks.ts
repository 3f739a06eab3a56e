import type { ConsumerState, Publisher } from '@opendsr-service/messaging';
import type { ReadinessCheck } from './health';

/** Not ready until each group has joined, so that a rolling update waits. A later outage hits all replicas. */
export function consumerChecks(consumers: readonly { readonly state: ConsumerState }[]): ReadinessCheck[] {
  if (consumers.length === 0) return [];
  return [
    { name: 'joined', essential: true, ok: () => consumers.every(({ state }) => state !== 'joining') },
    { name: 'consuming', essential: false, ok: () => consumers.every(({ state }) => state === 'consuming') },
  ];
}

/** Whether writes are accepted. Without its stores a process still responds, with 503 where necessary. */
export function storeChecks(
  storage: { ping(): Promise<void> },
  publisher: Pick<Publisher, 'available'>,
): ReadinessCheck[] {
  // A ping of a store that is away takes seconds: concurrent probes share one.
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await storage.ping();
      return true;
    } catch {
      return false;
    }
  };
  return [
    { name: 'publishing', essential: false, ok: () => publisher.available },
    { name: 'storing', essential: false, ok: () => (asking ??= ask().finally(() => (asking = undefined))) },
  ];
}

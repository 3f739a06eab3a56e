import type { ConsumerState, Publisher } from '@opendsr-service/messaging';
import type { ReadinessCheck } from './health';

/**
 * Whether a process takes its share of what is consumed. Until each group has let it in, it is not ready, so that a rolling update waits for it;
 * when the log goes away later, all replicas are alike, and none is better off without traffic.
 */
export function consumerChecks(consumers: readonly { readonly state: ConsumerState }[]): ReadinessCheck[] {
  if (consumers.length === 0) return [];
  return [
    { name: 'joined', essential: true, ok: () => consumers.every(({ state }) => state !== 'joining') },
    { name: 'consuming', essential: false, ok: () => consumers.every(({ state }) => state === 'consuming') },
  ];
}

/** Whether what the process writes is taken. Without its stores it still answers, with 503 where it must, so that it tells callers more than a closed door. */
export function storeChecks(
  storage: { ping(): Promise<void> },
  publisher: Pick<Publisher, 'available'>,
): ReadinessCheck[] {
  // A store that is away takes seconds to say so: however many probes ask meanwhile, it is asked once.
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

import { withDeadline } from '@opendsr-service/contracts';

export async function settleWithin(errand: Promise<unknown>, tidyTimeoutMs: number): Promise<void> {
  await withDeadline(errand, tidyTimeoutMs, () => undefined).catch(() => undefined);
}

/** A client that is still connecting is disconnected once it is connected. */
export async function disconnect(
  client: { disconnect(): Promise<void> },
  connecting: Promise<unknown>,
  tidyTimeoutMs: number,
): Promise<void> {
  const first = client.disconnect();
  const second = connecting.catch(() => undefined).then(() => client.disconnect());
  await settleWithin(Promise.all([first, second]), tidyTimeoutMs);
}

import { withDeadline } from '@opendsr-service/contracts';

/** A client that is still connecting is disconnected once it is connected. Takes no longer than the time-out, and never throws. */
export async function disconnect(
  client: { disconnect(): Promise<void> },
  connecting: Promise<unknown>,
  tidyTimeoutMs: number,
): Promise<void> {
  const first = client.disconnect();
  const second = connecting.catch(() => undefined).then(() => client.disconnect());
  await withDeadline(Promise.all([first, second]), tidyTimeoutMs, () => undefined).catch(() => undefined);
}

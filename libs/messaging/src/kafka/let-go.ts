import { withDeadline } from '../deadline';

const letGoMs = 3_000;

/** Waits for an errand of tidying up, but not for long, and goes on without it where it fails. */
export async function soon(errand: Promise<unknown>): Promise<void> {
  await withDeadline(errand, letGoMs, () => new Error('tidying up takes too long')).catch(() => undefined);
}

/** Disconnects a client, also one that is still connecting: what comes about only after the first call is closed by the second. */
export async function letGo(client: { disconnect(): Promise<void> }, connecting: Promise<unknown>): Promise<void> {
  const first = client.disconnect();
  const second = connecting.catch(() => undefined).then(() => client.disconnect());
  await soon(Promise.all([first, second]));
}

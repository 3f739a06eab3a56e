/** Asks again and again, with a pause after each answer, until the signal ends it. A call that fails is made again with the next. */
export async function poll(ask: () => Promise<void>, pauseMs: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await ask().catch(() => undefined);
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
  }
}

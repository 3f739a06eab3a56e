import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../receiver/until';
import { readArchive } from './archive';
import { concurrently } from './concurrently';
import { send, type Controller, type StatusRecord } from './controller';

type Status = StatusRecord['request_status'];

/** Work that a killed process had claimed is taken up again when its claim runs out, after a minute. */
const ROUND_MS = 120_000;
const AT_ONCE = 16;
const BETWEEN_LOOKS_MS = 250;

/** Waits until a request shows a status. */
export const awaitStatus = (controller: Controller, id: string, status: Status): Promise<StatusRecord> =>
  until(
    `a request to be ${status}`,
    async () => {
      const record = await controller.status(id);
      return record.request_status === status && record;
    },
    ROUND_MS,
  );

/** Waits until a request is completed, and fetches what its results link then answers. */
export async function awaitResult(controller: Controller, id: string) {
  const record = await awaitStatus(controller, id, 'completed');
  if (record.results_url === null) return { record, status: undefined, archive: undefined };
  const answer = await send(record.results_url);
  return {
    record,
    status: answer.status,
    answer,
    archive: answer.status === 200 ? await readArchive(answer.body) : undefined,
  };
}

/** Waits until every request has come to its end, without asking more often than the service can sign. Answers each one's last status. */
export async function awaitEnds(
  controller: Controller,
  ids: readonly string[],
  timeoutMs = ROUND_MS,
): Promise<Map<string, Status>> {
  const ends = new Map<string, Status>();
  const open = new Map<string, Status | undefined>(ids.map((id) => [id, undefined]));
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    await concurrently([...open.keys()], AT_ONCE, async (id) => {
      const { request_status } = await controller.status(id);
      open.set(id, request_status);
      if (request_status !== 'completed' && request_status !== 'cancelled') return;
      ends.set(id, request_status);
      open.delete(id);
    });
    if (open.size === 0) return ends;
    if (performance.now() > deadline)
      throw new Error(
        `${String(open.size)} of ${String(ids.length)} requests have not come to an end: ${JSON.stringify([...open])}`,
      );
    await sleep(BETWEEN_LOOKS_MS);
  }
}

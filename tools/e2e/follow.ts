import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../receiver/until';
import { readArchive } from './archive';
import { concurrently } from './concurrently';
import { send, type Answer, type Controller, type StatusRecord } from './controller';

type Status = StatusRecord['request_status'];

/** Work that a killed process had claimed is taken up again when its claim runs out, after a minute. */
const ROUND_MS = 120_000;
const AT_ONCE = 16;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

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

export const attestationPath = ({ path }: Controller, id: string, more = ''): string =>
  `${path}/${id}/attestation${more}`;

/** Waits until a request has an attestation: 404 is what the path answers before. */
export const awaitAttestation = (controller: Controller, id: string, more = ''): Promise<Answer> =>
  until(
    'an attestation',
    async () => {
      const answer = await controller.call('GET', attestationPath(controller, id, more));
      if (![200, 404].includes(answer.status)) throw new Error(`it was answered with ${String(answer.status)}`);
      return answer.status === 200 && answer;
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

/** Whether nothing follows a status. */
export const isEnd = (status: Status): boolean => status === 'completed' || status === 'cancelled';

/**
 * Waits until every request has come to its end, at most so long, without asking more often than the service can sign.
 * Answers each one's last status.
 */
export async function followEnds(
  controller: Controller,
  ids: readonly string[],
  timeoutMs: number,
): Promise<Map<string, Status>> {
  const last = new Map<string, Status>();
  const deadline = performance.now() + timeoutMs;
  let open = ids;
  // Work of killed processes takes a minute, and each answer is signed: the pauses grow.
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_PAUSE_MS)) {
    await concurrently([...open], AT_ONCE, async (id) => {
      const { request_status: status } = await controller.status(id);
      last.set(id, status);
    });
    open = open.filter((id) => !isEnd(last.get(id) ?? 'pending'));
    if (open.length === 0 || performance.now() > deadline) return last;
    await sleep(pauseMs);
  }
}

/** The same; an error where one has not ended. */
export async function awaitEnds(
  controller: Controller,
  ids: readonly string[],
  timeoutMs = ROUND_MS,
): Promise<Map<string, Status>> {
  const last = await followEnds(controller, ids, timeoutMs);
  const open = [...last].filter(([, status]) => !isEnd(status));
  if (open.length > 0)
    throw new Error(
      `${String(open.length)} of ${String(ids.length)} requests have not come to an end: ${JSON.stringify(open)}`,
    );
  return last;
}

import { json, type Answer, type Controller } from './controller';

interface Attempt {
  readonly attempt: number;
  readonly time: string;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly duration_ms: number | null;
}

/** A callback in the ledger (docs/http-api.md). */
export interface Entry {
  readonly delivery_id: string;
  readonly status_callback_url: string | null;
  readonly request_status: string;
  readonly state: string;
  readonly reason: string | null;
  readonly next_attempt_time: string | null;
  readonly attempt_count: number;
  readonly attempts: readonly Attempt[];
}

export const ledger = (controller: Controller, id: string): Promise<Answer> =>
  controller.call('GET', `${controller.path}/${id}/callbacks`);
export const entries = async (controller: Controller, id: string): Promise<readonly Entry[]> =>
  json<{ callbacks: readonly Entry[] }>(await ledger(controller, id)).callbacks;
export const replay = (controller: Controller, id: string, delivery: string): Promise<Answer> =>
  controller.call('POST', `${controller.path}/${id}/callbacks/${delivery}/replay`);

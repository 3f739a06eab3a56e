import { withDeadline } from '@opendsr-service/contracts';
import { type EdgeAdapter, sendJson } from '@opendsr-service/edge';

/** A cheap question about something this process needs itself; a rejection is a no, and so is an answer that takes longer than half a second. */
export interface ReadinessCheck {
  readonly name: string;
  /** Whether the process can do nothing at all without it. Else a no makes it `degraded`, and it goes on serving what it can. */
  readonly essential: boolean;
  readonly ok: () => boolean | Promise<boolean>;
}

/** Less than the second that Kubernetes waits for a probe. */
const ANSWER_WITHIN_MS = 500;

const runCheck = (check: ReadinessCheck): Promise<boolean> => {
  const answer = Promise.resolve()
    .then(check.ok)
    .catch(() => false);
  return withDeadline(answer, ANSWER_WITHIN_MS, () => false);
};

type Status = 'ok' | 'degraded' | 'unavailable';

function statusOf(serving: boolean, failed: readonly ReadinessCheck[]): Status {
  if (!serving || failed.some(({ essential }) => essential)) return 'unavailable';
  return failed.length > 0 ? 'degraded' : 'ok';
}

/** Serves `/livez` (the process answers) and `/readyz` (it is neither starting nor stopping, and no essential check fails), as docs/health.md has them. */
export function serveHealth(adapter: EdgeAdapter, checks: readonly ReadinessCheck[], serving: () => boolean): void {
  const instance = adapter.getInstance();
  instance.get('/livez', (_request, reply) => {
    sendJson(reply, 200, Buffer.from('{"status":"ok"}'));
  });
  instance.get('/readyz', async (_request, reply) => {
    const answers = await Promise.all(checks.map(async (check) => ({ check, ok: await runCheck(check) })));
    const status = statusOf(
      serving(),
      answers.filter(({ ok }) => !ok).map(({ check }) => check),
    );
    const shown = Object.fromEntries(answers.map(({ check, ok }) => [check.name, ok]));
    sendJson(reply, status === 'unavailable' ? 503 : 200, Buffer.from(JSON.stringify({ status, checks: shown })));
    return reply;
  });
}

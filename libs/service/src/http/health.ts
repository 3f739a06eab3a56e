import { withDeadline } from '@opendsr-service/contracts';
import { type EdgeAdapter, sendAnswer } from '@opendsr-service/edge';

/** A cheap check of a dependency. A rejection, or no result within 500 ms, counts as `false`. */
export interface ReadinessCheck {
  readonly name: string;
  /** True: the process is `unavailable` without it. False: the process is `degraded`. */
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

/** How a process is, and what each check says (docs/health.md). */
export interface Readiness {
  readonly status: Status;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** Runs the checks. */
export async function readinessOf(checks: readonly ReadinessCheck[], serving: boolean): Promise<Readiness> {
  const answers = await Promise.all(checks.map(async (check) => ({ check, ok: await runCheck(check) })));
  const failed = answers.filter(({ ok }) => !ok).map(({ check }) => check);
  return {
    status: statusOf(serving, failed),
    checks: Object.fromEntries(answers.map(({ check, ok }) => [check.name, ok])),
  };
}

/** Serves `/livez` and `/readyz` (docs/health.md). */
export function serveHealth(adapter: EdgeAdapter, readiness: () => Promise<Readiness>): void {
  const instance = adapter.getInstance();
  instance.get('/livez', (_request, reply) => {
    sendAnswer(reply, 200, { status: 'ok' });
  });
  instance.get('/readyz', async (_request, reply) => {
    const shown = await readiness();
    sendAnswer(reply, shown.status === 'unavailable' ? 503 : 200, shown);
    return reply;
  });
}

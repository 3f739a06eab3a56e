import { type EdgeAdapter, sendJson } from '@opendsr-service/edge';

/** A cheap question about something this process needs itself; a rejection is a no. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: () => boolean | Promise<boolean>;
}

const answer = (check: ReadinessCheck): Promise<boolean> => Promise.resolve().then(check.ok).catch(() => false);

/** Serves `/livez` (the process answers) and `/readyz` (all checks pass, and it is neither starting nor stopping). */
export function serveHealth(adapter: EdgeAdapter, checks: readonly ReadinessCheck[], serving: () => boolean): void {
  const instance = adapter.getInstance();
  instance.get('/livez', (_request, reply) => {
    sendJson(reply, 200, Buffer.from('{"status":"ok"}'));
  });
  instance.get('/readyz', async (_request, reply) => {
    const answers = await Promise.all(checks.map(async (check) => [check.name, await answer(check)] as const));
    const ready = serving() && answers.every(([, ok]) => ok);
    sendJson(reply, ready ? 200 : 503, Buffer.from(JSON.stringify({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(answers) })));
    return reply;
  });
}

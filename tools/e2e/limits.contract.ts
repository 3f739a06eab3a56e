import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, json, raw, requestBody, send, type Answer } from './controller';
import type { Service } from './service';
import type { Rule } from './world';

const CALLS = 60;
const CREATES = 5;
const INGEST_CALLS = 6;
const SOURCE_CALLS = 10;
const FAILURES = 5;
const MINUTE_MS = 60_000;
const DAY_S = 86_400;
/** The share of a budget that one process may hold (docs/limits.md). */
const LEASE_PART = 20;

const utcDay = (): number => Math.floor(Date.now() / 1_000 / DAY_S);

const SMALL = {
  RATE_LIMIT_CALLS_PER_MINUTE: String(CALLS),
  RATE_LIMIT_CREATES_PER_DAY: String(CREATES),
  RATE_LIMIT_INGEST_CALLS_PER_MINUTE: String(INGEST_CALLS),
  RATE_LIMIT_SOURCE_CALLS_PER_MINUTE: String(SOURCE_CALLS),
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: String(FAILURES),
};

const UNKNOWN = '475974fa-6b42-4370-bb56-b5d845686bb5';
const isLimited = ({ status }: Answer): boolean => status === 429;
const waitOf = ({ headers }: Answer): string | null => headers.get('retry-after');

/** So many must be refused before calls come to their end, for some may be counted elsewhere and pass; and so many are made at the most. */
const REFUSED = 3;
const MOST_CALLS = 200;

/** Makes calls one after the other until enough were refused. Returns the number of accepted calls and their time. */
async function inTurn(
  count: number,
  call: () => Promise<Answer>,
): Promise<{ passed: number; refused: Answer; tookMs: number }> {
  const begin = performance.now();
  const refused: Answer[] = [];
  let passed = 0;
  while (passed + refused.length < count || (refused.length < REFUSED && passed + refused.length < MOST_CALLS)) {
    const answer = await call();
    if (isLimited(answer)) refused.push(answer);
    else passed++;
  }
  if (!refused[0]) throw new Error(`none of ${String(passed)} calls was limited`);
  return { passed, refused: refused[0], tookMs: performance.now() - begin };
}

/** The calls that processes counted without their slow database: they may exceed the limit. */
async function countedAlone(service: Service, budget: string): Promise<number> {
  const counts = await Promise.all(
    service.parts().map(async ({ adminUrl }) => {
      const metrics = (await send(`${adminUrl}/metrics`)).body.toString();
      return Number(
        new RegExp(`^opendsr_rate_limit_fallback_total{budget="${budget}"} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0,
      );
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Limits (protocol, "Limits", "429"). The first rule restarts the service with small ones, so these rules are the last
 * of a suite.
 */
export function limitRules(rule: Rule): void {
  rule(
    'all processes together create the daily number of requests, and only those with a 201 count',
    async ({ service, controller }) => {
      await service.restart(SMALL);
      const create = (more: object = {}) =>
        controller.create(
          requestBody({
            subject_request_type: 'portability',
            subject_identities: [raw('email', `${randomUUID()}@example.com`)],
            ...more,
          }),
        );
      for (let n = 0; n < 4; n++) expect((await create({ submitted_time: 'none' })).status).toBe(400);
      const firstDay = utcDay();
      const { passed, refused } = await inTurn(CREATES + 3, () => create());
      // Midnight brings a new budget.
      const days = utcDay() - firstDay + 1;
      const tillMidnightS = DAY_S - ((Date.now() / 1_000) % DAY_S);
      const alone = await countedAlone(service, 'creates');
      expect(passed).toBeGreaterThanOrEqual(CREATES);
      expect(passed).toBeLessThanOrEqual(days * CREATES + alone);
      const apartS = Math.abs(Number(waitOf(refused)) - tillMidnightS);
      // Midnight may pass between the answer and this read of the clock.
      expect(Math.min(apartS, DAY_S - apartS)).toBeLessThan(60);
      expect(json(refused)).toEqual({
        code: 429,
        message: 'Too many requests.',
        errors: [{ domain: 'Limits', reason: 'TooManyRequestsException', message: 'Too many requests.' }],
      });
      expect((await controller.read(UNKNOWN)).status).toBe(404);
    },
  );

  rule(
    'calls of one workspace are limited over all processes, those of others are not, and a call after Retry-After succeeds',
    async ({ service, controller }) => {
      const other = new Controller({ ...service, ...(await service.other()) });
      const { passed, refused, tookMs } = await inTurn(CALLS * 2, () => other.read(UNKNOWN));
      expect(passed).toBeGreaterThanOrEqual(CALLS - 1);
      const held = service.baseUrls.length * Math.floor(CALLS / LEASE_PART);
      expect(passed).toBeLessThanOrEqual(
        CALLS + (CALLS * tookMs) / MINUTE_MS + held + (await countedAlone(service, 'calls')),
      );
      expect((await controller.read(UNKNOWN)).status).toBe(404);
      expect(waitOf(refused)).toBe('1');
      await sleep(1_000);
      expect((await other.read(UNKNOWN)).status).toBe(404);
    },
  );

  rule('ingestion has a limit of its own, and answers in its own error body', async ({ service, controller }) => {
    const search = () => controller.ingest('/v1/search', { user_identities: { email: 'nobody@example.com' } });
    const { passed, refused, tookMs } = await inTurn(INGEST_CALLS * 3, search);
    expect(passed).toBeGreaterThanOrEqual(INGEST_CALLS);
    expect(passed).toBeLessThanOrEqual(
      INGEST_CALLS + 1 + (INGEST_CALLS * tookMs) / MINUTE_MS + (await countedAlone(service, 'ingest_calls')),
    );
    expect(Number(waitOf(refused))).toBeGreaterThanOrEqual(1);
    expect(json(refused)).toEqual({ errors: [{ code: 'TOO_MANY_REQUESTS', message: 'Too many requests.' }] });
  });

  rule('calls without credentials are limited by source, health is not', async ({ service }) => {
    const { passed, tookMs } = await inTurn(SOURCE_CALLS * 2, () => send(`${service.baseUrls[0] ?? ''}/v2/discovery`));
    expect(passed).toBeGreaterThanOrEqual(SOURCE_CALLS);
    expect(passed).toBeLessThanOrEqual(SOURCE_CALLS + 1 + (SOURCE_CALLS * tookMs) / MINUTE_MS);
    for (let n = 0; n < SOURCE_CALLS * 2; n++)
      expect((await send(`${service.parts()[0]?.adminUrl ?? ''}/livez`)).status).toBe(200);
  });

  rule(
    'failed authentication is limited by source, while valid credentials still pass',
    async ({ service, controller }) => {
      const url = `${service.baseUrls[0] ?? ''}${controller.path}/${UNKNOWN}`;
      const { passed, tookMs } = await inTurn(FAILURES * 3, () =>
        send(url, { headers: { authorization: 'Basic a2V5Ondyb25n' } }),
      );
      expect(passed).toBeGreaterThanOrEqual(FAILURES);
      expect(passed).toBeLessThanOrEqual(FAILURES + 1 + (FAILURES * tookMs) / MINUTE_MS);
      for (let n = 0; n < service.baseUrls.length; n++) expect((await controller.read(UNKNOWN)).status).toBe(404);
    },
  );
}

import { clockFinding } from './clocks';
import { fail, ok, type Finding } from './finding';

const ANSWER_WITHIN_MS = 5_000;
/** The Date header has whole seconds. */
const DATE_UNCERTAIN_MS = 1_000;

/** Checks readiness and clock of a service, and whether it signs the transparency log; `admin` is its admin port. */
export async function serviceFindings(admin: URL, now: () => Date): Promise<readonly Finding[]> {
  const check = `service ${admin.host}`;
  const before = now().getTime();
  const answer = await answerOf(admin, '/readyz');
  if (!answer) return [fail(check, 'it does not answer', 'start it, or correct its address: dsr asks its admin port')];
  await answer.body?.cancel();
  const after = now().getTime();
  const date = Date.parse(answer.headers.get('date') ?? '');
  const clock = Number.isNaN(date)
    ? []
    : [
        clockFinding(`clock of ${admin.host}`, {
          aheadMs: date + DATE_UNCERTAIN_MS / 2 - (before + after) / 2,
          uncertainMs: DATE_UNCERTAIN_MS / 2 + (after - before) / 2,
        }),
      ];
  return [
    answer.status === 200
      ? ok(check, 'it is ready')
      : fail(
          check,
          `it is not ready (${answer.status})`,
          'its log and GET /readyz on its admin port show what is missing',
        ),
    ...clock,
    ...(await logFindings(admin)),
  ];
}

const answerOf = (admin: URL, path: string): Promise<Response | undefined> =>
  fetch(new URL(path, admin), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS), redirect: 'manual' }).catch(
    () => undefined,
  );

const REFUSED = /^opendsr_transparency_refused\{reason="([a-z]+)"\} ([01])$/gm;

/** None of a service that signs no transparency log, or does not show its metrics here. */
async function logFindings(admin: URL): Promise<readonly Finding[]> {
  const answer = await answerOf(admin, '/metrics');
  const text = (await answer?.text().catch(() => undefined)) ?? '';
  const shown = [...text.matchAll(REFUSED)];
  if (shown.length === 0) return [];
  const check = `transparency log of ${admin.host}`;
  const reason = shown.find(([, , value]) => value === '1')?.[1];
  return [
    reason === undefined
      ? ok(check, 'it refuses nothing')
      : fail(check, `it signs nothing (${reason})`, 'see OpenDSRTransparencyRefused in docker/RUNBOOK.md'),
  ];
}

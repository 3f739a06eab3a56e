import { withDeadline } from '@opendsr-service/contracts';
import { showDurationMs } from '@opendsr-service/config';
import { EXIT } from '../command';
import { refusalOf } from '../refusal';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do about it; absent where all is well. */
  readonly todo?: string;
  /** Kafka or MongoDB could not be reached. */
  readonly away?: true;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<readonly Finding[]>;
  /** The server that it asks. While that is away, nothing more is asked of it. */
  readonly needs?: 'Kafka' | 'MongoDB';
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });
export const warn = (check: string, found: string, todo: string): Finding => ({ check, state: 'warn', found, todo });
export const fail = (check: string, found: string, todo: string): Finding => ({ check, state: 'fail', found, todo });

const LABELS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

export const lineOf = ({ check, state, found, todo }: Finding): string =>
  `${LABELS[state]}  ${check}: ${found}${todo === undefined ? '' : ` – ${todo}`}`;

/** 3 goes before 1: what is away hides what else may be wrong. */
export function exitOf(findings: readonly Finding[]): number {
  if (findings.some(({ away }) => away)) return EXIT.away;
  return findings.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.ok;
}

/** No check waits longer. */
export const CHECK_WITHIN_MS = 15_000;

/**
 * Runs the checks one after the other; one that throws has found something, and does not keep the others from
 * looking, unless it shows that a server is away which they need.
 */
export async function findingsOf(checks: readonly Check[], withinMs = CHECK_WITHIN_MS): Promise<Finding[]> {
  const findings: Finding[] = [];
  const away = new Set<Check['needs']>();
  for (const check of checks) {
    const { name, needs } = check;
    const found =
      needs && away.has(needs)
        ? [warn(name, `it was not looked at, for ${needs} is away`, 'look again when that is back')]
        : await foundBy(check, withinMs);
    if (found.some((one) => one.away)) away.add(needs);
    findings.push(...found);
  }
  return findings;
}

/** What one check finds in its time. A server that says nothing for so long is away. */
export async function foundBy({ name, run, needs }: Check, withinMs: number): Promise<readonly Finding[]> {
  const late = (): Finding[] => {
    const finding = fail(name, `no answer within ${showDurationMs(withinMs)}`, 'see what it waits for, and look again');
    return [{ ...finding, ...(needs && { away: true }) }];
  };
  try {
    return await withDeadline(run(), withinMs, late);
  } catch (error) {
    return [troubleOf(name, error)];
  }
}

/** The words of a refusal are all that is repeated: those of drivers and of the system may hold addresses with passwords in them. */
function troubleOf(check: string, error: unknown): Finding {
  const { code, lines } = refusalOf(error);
  if (code === EXIT.away)
    return { ...fail(check, lines.join('; '), 'start it, or put its address and credentials right'), away: true };
  return fail(check, lines.join('; '), 'put it right, and look again');
}

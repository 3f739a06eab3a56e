import { withDeadline } from '@opendsr-service/contracts';
import { showDurationMs } from '@opendsr-service/config';
import { missingDependencyIn } from '@opendsr-service/service';
import { EXIT } from '../command';
import { refusalOf } from '../refusal';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do; absent if nothing is wrong. */
  readonly todo?: string;
  /** The server that is away. */
  readonly away?: string;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<readonly Finding[]>;
  /** The server that the check needs; after it was away once, the check is skipped. */
  readonly needs?: 'Kafka' | 'MongoDB';
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });
export const warn = (check: string, found: string, todo: string): Finding => ({ check, state: 'warn', found, todo });
export const fail = (check: string, found: string, todo: string): Finding => ({ check, state: 'fail', found, todo });

/** What to do where a server answers, but not this user. */
export const GIVE_RIGHTS =
  'give this user the rights of docs/connecting.md, or name the services whose user it is: --of';

/** What a check finds whose settings cannot be read, which is a fault of the configuration. */
export const unchecked = (check: string): Finding =>
  warn(check, 'it was not checked: one of its settings cannot be read', 'correct it, and check again');

/** A check of what these settings name, if they can be read. */
export const checkOf = <S>(
  name: string,
  settings: S | undefined,
  run: (settings: S) => readonly Finding[] | Promise<readonly Finding[]>,
): Check => ({
  name,
  run: async () => (settings === undefined ? [unchecked(name)] : run(settings)),
});

const LABELS: Readonly<Record<Finding['state'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

export const lineOf = ({ check, state, found, todo }: Finding): string =>
  `${LABELS[state]}  ${check}: ${found}${todo === undefined ? '' : ` – ${todo}`}`;

/** 3 goes before 1: a server that is away hides other faults. */
export function exitOf(findings: readonly Finding[]): number {
  if (findings.some(({ away }) => away)) return EXIT.away;
  return findings.some(({ state }) => state === 'fail') ? EXIT.failed : EXIT.ok;
}

/** The longest time of a check. */
export const CHECK_WITHIN_MS = 15_000;

/**
 * Runs the checks one after the other. An error is a finding and skips others only if a server that they need is away.
 */
export async function findingsOf(checks: readonly Check[], withinMs = CHECK_WITHIN_MS): Promise<Finding[]> {
  const findings: Finding[] = [];
  const away = new Set<string>();
  for (const check of checks) {
    const { name, needs } = check;
    const found =
      needs && away.has(needs)
        ? [warn(name, `it was not checked: ${needs} is away`, 'check again when it is back')]
        : await foundBy(check, withinMs);
    for (const { away: server } of found) if (server) away.add(server);
    findings.push(...found);
  }
  return findings;
}

/** The findings of one check. A server that does not answer in time is away. */
export async function foundBy({ name, run, needs }: Check, withinMs: number): Promise<readonly Finding[]> {
  const late = (): Finding[] => {
    const finding = fail(
      name,
      `no answer within ${showDurationMs(withinMs)}`,
      'find what it waits for, and check again',
    );
    return [{ ...finding, ...(needs && { away: needs }) }];
  };
  try {
    return await withDeadline(run(), withinMs, late);
  } catch (error) {
    return [troubleOf({ name, needs }, error)];
  }
}

/** Shows only the words of refusals: messages of drivers and of the system may contain addresses with passwords. */
function troubleOf({ name, needs }: Pick<Check, 'name' | 'needs'>, error: unknown): Finding {
  const { code, lines } = refusalOf(error);
  const found = lines.join('; ');
  if (code !== EXIT.away) return fail(name, found, 'fix it, and check again');
  const lack = missingDependencyIn(error);
  if (lack?.isDenied) return fail(name, found, GIVE_RIGHTS);
  return {
    ...fail(name, found, 'start it, or correct its address and credentials'),
    away: lack?.what ?? needs ?? 'a store',
  };
}

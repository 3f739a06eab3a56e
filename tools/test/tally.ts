import { stripVTControlCharacters } from 'node:util';

/** What a phase of `npm test` found: numbers of tests, and the name of each thing that failed without being a test. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
  readonly skipped: readonly Skip[];
}

/** A test that did not run. */
export interface Skip {
  readonly file: string;
  readonly title: string;
  /** Why it need not run here (tools/test/skips.ts). */
  readonly reason?: string | undefined;
}

interface Failure {
  readonly name: string;
  /** The beginning of a failure, if the report has it. */
  readonly reason?: string;
}

export const nothing: Tally = { passed: 0, failed: 0, failures: [], skipped: [] };

/** A lint, a type check, a build or a suite that broke down counts as one failed test and is named in the summary. */
export const failure = (name: string): Tally => ({ ...nothing, failed: 1, failures: [{ name }] });

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  failures: [...a.failures, ...b.failures],
  skipped: [...a.skipped, ...b.skipped],
});

export const sum = (tallies: readonly Tally[]): Tally => tallies.reduce(add, nothing);

/**
 * What a program reported of itself; one that ended badly without saying why broke down. `text`: its report, a tally in JSON
 * without skipped tests.
 */
export function reportedTally(name: string, endedWell: boolean, text: string | undefined): Tally {
  const reported = text === undefined ? undefined : { ...nothing, ...(JSON.parse(text) as Partial<Tally>) };
  return reported && (endedWell || reported.failed > 0) ? reported : failure(`${name}: it broke down`);
}

/** The part of jest's JSON report that is counted. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  /** Why a file broke down. */
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages?: readonly string[];
  }[];
}

/** Adds up a report. A file that fails without a failed test in it (it does not compile, or a hook of the file threw) counts as one. */
export function ofReport(report: JestReport): Tally {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    failures: [
      ...failed.map(({ fullName, failureMessages = [] }) => ({
        name: fullName,
        reason: beginningOf(failureMessages[0]),
      })),
      ...broken.map(({ name, message }) => ({
        name: `${name} (no test of it ran to its end)`,
        reason: beginningOf(message),
      })),
    ],
    skipped: report.testResults.flatMap(({ name: file, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'pending' || status === 'todo')
        .map(({ fullName: title }) => ({ file, title })),
    ),
  };
}

/** What Jest overlooks (tools/jest/environment.cjs), a line of JSON for each. */
export function ofStrays(text: string): Tally {
  const strays = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly name: string; readonly message?: string });
  return {
    ...nothing,
    failed: strays.length,
    failures: strays.map(({ name, message }) => ({ name, reason: beginningOf(message) })),
  };
}

const REASON_LINES = 4;
const REASON_CHARS = 600;

function beginningOf(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  return lines.slice(0, REASON_LINES).join(' | ').slice(0, REASON_CHARS);
}

const NAMES_SHOWN = 10;

/**
 * The lines of failures with their reasons. Failures with the same reason are grouped, so that a suite that did not
 * start is one entry.
 */
export function failureLines({ failures }: Tally): string[] {
  return [...Map.groupBy(failures, ({ name, reason }) => reason ?? name)].flatMap(([reason, alike]) => {
    const names = alike.slice(0, NAMES_SHOWN).map(({ name }) => `Failed: ${name}`);
    if (alike.length > NAMES_SHOWN)
      names.push(`Failed: ${String(alike.length - NAMES_SHOWN)} more for the same reason`);
    return alike[0]?.reason === undefined ? names : [...names, `  because: ${reason}`];
  });
}

/** A line for each reason why tests need not run here, and for each file of which others did not run, with the first of them. */
export function skippedLines({ skipped }: Tally): string[] {
  return [...Map.groupBy(skipped, ({ file, reason }) => reason ?? file)].map(([subject, [first, ...more]]) => {
    if (first?.reason !== undefined) return `Skipped: ${String(more.length + 1)} ${subject}`;
    const others = more.length > 0 ? `, and ${String(more.length)} more` : '';
    return `Skipped: ${subject}: ${first?.title ?? ''}${others}`;
  });
}

/** Where everything must run, each skipped test without a reason is a failed one. */
export function demandAll(tally: Tally): Tally {
  const missing = tally.skipped.filter(({ reason }) => reason === undefined);
  const failures = missing.map(({ file, title }) => ({
    name: `${file}: ${title}`,
    reason: 'it was skipped, and DSR_REQUIRE_ALL is set',
  }));
  return add(tally, { ...nothing, failed: failures.length, failures });
}

/** The last line of a run, in the form that continuous integration reads. */
export const lastLine = ({ passed, failed }: Tally) => `${String(passed)} passed, ${String(failed)} failed`;

/** A run that executed nothing has shown nothing. */
export const demandTests = (tally: Tally): Tally =>
  tally.passed + tally.failed > 0 ? tally : failure('no test was executed');

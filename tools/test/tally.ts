/** What a phase of `npm test` found: numbers of tests, and the name of each thing that failed without being a test. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

export const nothing: Tally = { passed: 0, failed: 0, failures: [] };

/** A lint, a type check, a build or a suite that broke down counts as one failed test and is named in the summary. */
export const failure = (name: string): Tally => ({ passed: 0, failed: 1, failures: [name] });

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  failures: [...a.failures, ...b.failures],
});

export const sum = (tallies: readonly Tally[]): Tally => tallies.reduce(add, nothing);

/** The part of jest's JSON report that is counted. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[] }[];
}

/** Adds up a report. A file that fails without a failed test in it (it does not compile, or a hook of the file threw) counts as one. */
export function ofReport(report: JestReport): Tally {
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'));
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed');
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    failures: [...failed.map(({ fullName }) => fullName), ...broken.map(({ name }) => `${name} (no test of it ran to its end)`)],
  };
}

/** The last line of a run, in the form that continuous integration reads. */
export const lastLine = ({ passed, failed }: Tally) => `${String(passed)} passed, ${String(failed)} failed`;

/** A run that executed nothing has shown nothing. */
export const demandTests = (tally: Tally): Tally => (tally.passed + tally.failed > 0 ? tally : failure('no test was executed'));

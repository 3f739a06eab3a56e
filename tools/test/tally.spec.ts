import { add, demandTests, failure, failureLines, lastLine, nothing, ofReport, sum, type JestReport } from './tally';

const file = (status: string, ...tests: [string, string][]) => ({
  name: `${status}.spec.ts`,
  status,
  assertionResults: tests.map(([fullName, state]) => ({ fullName, status: state })),
});

const report = (...testResults: JestReport['testResults']): JestReport => {
  const states = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const count = (state: string) => states.filter((status) => status === state).length;
  return { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults };
};

it('counts the tests of every report, by what became of them, and names the failed ones', () => {
  const one = ofReport(report(file('passed', ['a', 'passed'], ['b', 'passed'], ['left out', 'pending'])));
  const two = ofReport(report(file('failed', ['c', 'passed'], ['d', 'failed'])));
  expect(sum([one, two])).toEqual({ passed: 3, failed: 1, failures: [{ name: 'd' }] });
});

it('counts a file that failed without a failed test as one failed', () => {
  const tally = ofReport(report(file('failed')));
  expect(tally.failed).toBe(1);
  expect(tally.failures).toMatchObject([{ name: expect.stringContaining('failed.spec.ts') as string }]);
});

it('counts a failed step as one failed test', () => {
  expect(lastLine(add({ ...nothing, passed: 7 }, failure('gateway: lint')))).toBe('7 passed, 1 failed');
});

it('makes a run without any test a failed one', () => {
  expect(lastLine(demandTests(nothing))).toBe('0 passed, 1 failed');
  expect(demandTests({ ...nothing, passed: 1 })).toEqual({ passed: 1, failed: 0, failures: [] });
});

it('lists failures with the beginning of their reason, grouped by reason', () => {
  const messages = (text: string) => [`\u001b[31mError: ${text}\u001b[39m\n\n    at somewhere (file.ts:1:1)`];
  const alike = Array.from({ length: 12 }, (_, n) => ({
    fullName: `rule ${String(n)}`,
    status: 'failed',
    failureMessages: messages('the port is taken'),
  }));
  const other = { fullName: 'another', status: 'failed', failureMessages: messages('1 is not 2') };
  const tally = ofReport({
    numPassedTests: 0,
    numFailedTests: 13,
    testResults: [{ name: 'a.spec.ts', status: 'failed', assertionResults: [...alike, other] }],
  });
  expect(failureLines(tally)).toEqual([
    ...alike.slice(0, 10).map(({ fullName }) => `Failed: ${fullName}`),
    'Failed: 2 more for the same reason',
    '  because: Error: the port is taken',
    'Failed: another',
    '  because: Error: 1 is not 2',
  ]);
  expect(failureLines(failure('gateway: lint'))).toEqual(['Failed: gateway: lint']);
});

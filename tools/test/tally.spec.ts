import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { repository } from '../e2e/repository';
import { EXPECTED, explain } from './skips';
import {
  add,
  demandAll,
  demandTests,
  failure,
  failureLines,
  lastLine,
  nothing,
  ofReport,
  skippedLines,
  sum,
  type JestReport,
} from './tally';

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
  expect(sum([one, two])).toEqual({
    passed: 3,
    failed: 1,
    failures: [{ name: 'd' }],
    skipped: [{ file: 'passed.spec.ts', title: 'left out' }],
  });
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
  expect(demandTests({ ...nothing, passed: 1 })).toEqual({ ...nothing, passed: 1 });
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

describe('tests that were skipped', () => {
  const { file, reason } = EXPECTED.find(({ titles }) => titles === undefined)!;
  const skip = (name: string, title: string, isFullForm = false) =>
    explain({ file: resolve('/clone', name), title }, '/clone', isFullForm);
  const skipped = [
    skip(file, 'a'),
    skip(file, 'b'),
    skip('libs/a/src/a.spec.ts', 'c'),
    skip('libs/a/src/a.spec.ts', 'd'),
    skip('tools/b.spec.ts', 'e'),
  ];
  const tally = { ...nothing, passed: 1, skipped };

  it('are listed by reason, and without one by file', () => {
    expect(skippedLines(tally)).toEqual([
      `Skipped: 2 ${reason}`,
      'Skipped: libs/a/src/a.spec.ts: c, and 1 more',
      'Skipped: tools/b.spec.ts: e',
    ]);
  });

  it('are failures where everything must run, unless there is a reason', () => {
    const { failed, failures } = demandAll(tally);
    expect({ failed, names: failures.map(({ name }) => name) }).toEqual({
      failed: 3,
      names: ['libs/a/src/a.spec.ts: c', 'libs/a/src/a.spec.ts: d', 'tools/b.spec.ts: e'],
    });
  });

  it('have no reason in the full form that only the short form would have', () => {
    const { file: short } = EXPECTED.find((one) => one.reason.includes('full form') && !one.titles)!;
    expect([skip(short, 'a').reason, skip(short, 'a', true).reason]).toEqual([
      expect.stringContaining('full form'),
      undefined,
    ]);
  });

  it('have no reason where those of their file that have one are named', () => {
    const evidence = 'tools/evidence/evidence-page.int.spec.ts';
    expect(skip(evidence, 'what the page does with Go verifies').reason).toBeDefined();
    expect(skip(evidence, 'what the page does with openssl verifies').reason).toBeUndefined();
  });

  it.each(EXPECTED.map((one) => one.file))('may be in %s, which exists', (name) => {
    expect(existsSync(repository(name))).toBe(true);
  });
});

import { Checks } from './checks';

it('ends with 0 where every check passed, and says how many there were', () => {
  const lines: string[] = [];
  const checks = new Checks((line) => lines.push(line));
  checks.step('first');
  checks.check('one', true);
  checks.check('two', []);
  expect(checks.end()).toBe(0);
  expect(lines).toEqual(['\n1. first', '   ✓ one', '   ✓ two', '\nAll 2 checks passed.']);
});

it.each([false, ['the signature does not match the body']])(
  'ends with 1 where one failed, and names what was wrong',
  (faults) => {
    const lines: string[] = [];
    const checks = new Checks((line) => lines.push(line));
    checks.check('one', true);
    checks.check('two', faults);
    expect(checks.end()).toBe(1);
    expect(lines[1]).toMatch(/^ {3}✗ two: (it is not so|the signature does not match the body)$/);
    expect(lines.at(-1)).toBe('\n1 of 2 checks failed.');
  },
);

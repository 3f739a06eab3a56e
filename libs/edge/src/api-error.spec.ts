import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alreadyExists, badRequest, enoughFaults, errorOfStatus, faultOf, invalid } from './api-error';
import { errorBody } from './error-body';

describe('docs/errors.md', () => {
  const page = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8');
  const known = [
    ...Object.keys(faultOf).map((status) => errorBody(errorOfStatus(Number(status)))),
    errorBody(alreadyExists()),
  ].sort((a, b) => a.code - b.code);

  it('shows the exact answer of every status, and of no other', () => {
    const rows = page.matchAll(/^\| (\d{3}) \| (\w+) \| (\w+) \| ([^|]+) \| [^|]+ \| (?:yes|no) \|$/gm);
    const answers = [...rows].map(([, code, domain, reason, message]) => ({
      code: Number(code),
      message,
      errors: [{ domain, reason, message }],
    }));
    expect(answers).toEqual(known);
  });
});

it('names a hundred faults and states that there are more', () => {
  const faults = (count: number) => Array.from({ length: count }, (_, at) => invalid(`fault ${at}`));
  const full = badRequest(faults(100));
  expect([full.faults.length, full.message]).toEqual([100, 'The request has 100 faults.']);
  const { faults: named, message } = badRequest(faults(enoughFaults));
  expect(named).toHaveLength(101);
  expect([named[99]?.message, named[100]?.message, message]).toEqual([
    'fault 99',
    'There are more faults, which are not named.',
    'The request has more than 100 faults.',
  ]);
});

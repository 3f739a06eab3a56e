import { CATALOGUE } from './catalogue';
import { junitOf } from './junit';
import type { Row } from './run';
import { summaryOf, tableOf } from './table';

const row = (more: Partial<Row>): Row => ({
  id: 'create.status',
  section: 'Endpoints',
  source: 'interface',
  title: 'a create gets 201',
  version: '2.0',
  outcome: 'passed',
  ...more,
});

it('shows each rule once under its section, with a column for each version and the reason of a failure', () => {
  const rows = [
    row({}),
    row({ version: '1.0', outcome: 'failed', detail: 'expected the answer to be 201, got 200' }),
    row({
      id: 'cancel.202',
      section: 'Success codes',
      source: 'notes',
      title: 't',
      outcome: 'n/a',
      detail: 'needs --ca',
    }),
  ];
  expect(tableOf({ rows })).toEqual([
    '2.0     1.0     rule',
    '',
    'create: Endpoints',
    'passed  FAILED  create.status                    a create gets 201',
    '                1.0 FAILED: expected the answer to be 201, got 200',
    '',
    'cancel: Success codes (notes)',
    'n/a     -       cancel.202                       t',
    '                2.0 n/a: needs --ca',
  ]);
});

it('fits 120 columns for all rules and reasons', () => {
  const detail = `${'expected something that takes many words to say '.repeat(5)}${'x'.repeat(200)}`;
  const rows = CATALOGUE.flatMap(({ id, section, source, title }) =>
    (['2.0', '1.0'] as const).map((version) => row({ id, section, source, title, version, outcome: 'failed', detail })),
  );
  expect(tableOf({ rows }).filter((line) => line.length > 120)).toEqual([]);
});

it('counts outcomes for each version', () => {
  expect(summaryOf({ rows: [row({}), row({ outcome: 'n/a' })], calls: 7, left: 0 })[0]).toBe(
    'version 2.0: 1 passed, 0 failed, 1 n/a',
  );
});

it('says last how many rows a longer run would decide', () => {
  const last = (rows: Row[]) => summaryOf({ rows, calls: 7, left: 0 }).at(-1);
  expect(last([row({ outcome: 'n/a', detail: 'needs --ca' })])).toBe('every rule that applies is decided');
  expect(last([row({}), row({ outcome: 'n/a', undecided: true })])).toBe(
    'undecided for want of time: 1 (see --wait and --pending-type)',
  );
});

it('says the same to programs that read JUnit', () => {
  const xml = junitOf([row({}), row({ outcome: 'failed', detail: 'a < "b"' })]);
  expect(xml).toContain('<testsuite name="version 2.0" tests="2" failures="1" skipped="0">');
  expect(xml).toContain('<failure message="a &lt; &quot;b&quot;"/>');
});

import { readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { GENERATED } from './generated';

it.each(GENERATED)(
  '$path is as it is made today; `node tools/run.mjs tools/monitoring/generate.ts` writes it',
  ({ path, text }) => {
    expect(readFileSync(repository(path), 'utf8')).toBe(text());
  },
);

it('has a table of metrics in the docs', () => {
  expect(readFileSync(repository('docs/observability.md'), 'utf8')).toContain(
    '\n| `opendsr_requests_past_expected` | gauge | `type` | gateway |',
  );
});

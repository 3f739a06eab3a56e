import { readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { GENERATED } from './generated';

it.each(GENERATED)('$path is as it is made today; `node tools/run.mjs tools/monitoring/generate.ts` writes it', ({ path, text }) => {
  expect(readFileSync(repository(path), 'utf8')).toBe(text());
});

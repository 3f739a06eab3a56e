import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { alignColumns } from '../bench/columns';
import { RELEASE_FILE } from '../bench/release';
import { repository } from '../e2e/repository';
import { figuresOf, type Release } from './figures';
import { planFor } from './model';
import { readOptions } from './options';
import { planRows, planTitles } from './page';

// What an installation needs for a load, from the figures of the last release: `npm run capacity`.
try {
  const { loads, json } = readOptions(process.argv.slice(2));
  const figures = figuresOf(JSON.parse(readFileSync(repository(RELEASE_FILE), 'utf8')) as Release);
  const plans = loads.map((load) => planFor(figures, load));
  console.log(json ? JSON.stringify(plans, null, 2) : alignColumns([planTitles(plans), ...planRows(plans)]));
} catch (error) {
  console.error(`capacity: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

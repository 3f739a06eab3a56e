import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { RELEASE_FILE } from '../bench/release';
import type { Release } from '../capacity/figures';
import { PAGE, sizingText } from '../capacity/page';
import { repository } from '../e2e/repository';
import { configurationText } from './configuration';

// Writes the configuration reference from the tables of settings, and the tables of sizes from the kept figures of the
// bench: `npm run reference`.
writeFileSync(repository('docs/configuration.md'), configurationText());
console.log('docs/configuration.md');
const release = JSON.parse(readFileSync(repository(RELEASE_FILE), 'utf8')) as Release;
writeFileSync(repository(PAGE), sizingText(readFileSync(repository(PAGE), 'utf8'), release));
console.log(PAGE);
